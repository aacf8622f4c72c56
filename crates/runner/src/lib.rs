//! Builds and tries a plan on a Docker engine, and tells what happened as [`Event`]s.
//!
//! The runner tells, it does not print. bollard is named only below `engine`.

mod build;
mod check;
mod clean;
mod context;
mod engine;
mod event;
mod failure;
mod fold;
mod identity;
mod leftovers;
mod outcome;
#[cfg(test)]
mod player;
mod pull;
mod request;
mod smoke;
mod teller;

pub use check::check;
pub use clean::{CleanError, Cleaned, clean};
pub use context::{ContextError, Listed, Survey, survey, unpack};
pub use contract::Level;
pub use engine::{
    Builder, BuilderChoice, Engine, EngineEnvironment, EngineInfo, EngineOptions, NoEngine, Search,
    Tried, connect,
};
pub use event::{Event, Reporter, StepId, StepState, Stream};
pub use failure::source_place;
pub use fold::{Fold, fold};
pub use outcome::{Outcome, PhaseTime, Verdict};
pub use request::{CheckRequest, ContextRequest, PullPolicy, SmokeCommand, Timeouts};
