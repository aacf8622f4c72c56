//! Runs on a real engine, on both of its builders.

#[path = "live_engine/context.rs"]
mod context;
#[path = "live_engine/endings.rs"]
mod endings;
#[path = "live_engine/outcomes.rs"]
mod outcomes;
#[path = "live_engine/support.rs"]
mod support;
