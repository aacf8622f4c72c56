//! Builds and tries a plan on a Docker engine, and tells what happened as [`Event`]s.
//!
//! The runner tells, it does not print. bollard is named only below `engine`.

mod event;
mod outcome;

pub use event::{Event, Reporter, StepId, StepState, Stream};
pub use outcome::{Level, Outcome, PhaseTime, Verdict};
