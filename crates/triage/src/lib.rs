//! A build log, or an engine's typed error, to a [`Failure`].
//!
//! Pure. Two doors: [`classify`] for what `drydock check` saw happen, and the log reader for a
//! failure that happened somewhere else.

mod adjust;
mod ansi;
mod classify;
mod closing;
mod code;
mod decide;
mod essence;
mod failure;
mod heard;
mod locate;
mod log;
mod observed;
mod package;
mod rule;
mod rules;

pub use classify::classify;
pub use code::Code;
pub use failure::{Evidence, Failure, Owner, Phase, Retry, SourcePlace};
pub use locate::{Authored, locate};
pub use log::{LogReader, LogVerdict, Verdict};
pub use observed::{AskedPackage, EngineError, FailedStep, Observed};
pub use rules::words;
