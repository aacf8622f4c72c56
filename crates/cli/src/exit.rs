//! The exit statuses. They are a contract: scripts read them.

use std::process::ExitCode;

use runner::Outcome;
use runner::Verdict;
use triage::Owner;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It works, as far as was looked.
    Passed,
    /// The definition, a step, setup, smoke, or the base image must change.
    Failed,
    /// Wrong usage, or a definition that cannot be read or is invalid.
    Invalid,
    /// No engine can be reached.
    NoEngine,
    /// A fault of our own.
    OurFault,
    /// Infrastructure: trying again may help.
    Inconclusive,
    /// Somebody asked to stop.
    Cancelled,
}

impl Status {
    /// All of them.
    const ALL: [Self; 7] = [
        Self::Passed,
        Self::Failed,
        Self::Invalid,
        Self::NoEngine,
        Self::OurFault,
        Self::Inconclusive,
        Self::Cancelled,
    ];

    /// The number that the shell sees.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Failed => 1,
            Self::Invalid => 2,
            Self::NoEngine => 69,
            Self::OurFault => 70,
            Self::Inconclusive => 75,
            Self::Cancelled => 130,
        }
    }

    /// The status behind a number that was recorded.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.number() == number)
    }

    /// The status of one outcome.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let ours = outcome.failure.as_ref().is_some_and(|failure| failure.owner == Owner::Tool);
        match outcome.verdict {
            Verdict::Passed => Self::Passed,
            Verdict::Cancelled => Self::Cancelled,
            Verdict::Failed | Verdict::Inconclusive if ours => Self::OurFault,
            Verdict::Failed => Self::Failed,
            Verdict::Inconclusive => Self::Inconclusive,
        }
    }

    /// Of two, the one that the whole run must end with.
    pub(crate) const fn worse(self, other: Self) -> Self {
        if self.weight() >= other.weight() { self } else { other }
    }

    /// A stop outweighs a fault of ours, which outweighs what the author must change, which
    /// outweighs what may pass later: whoever reads one number learns the one thing to do first.
    const fn weight(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::NoEngine => 1,
            Self::Inconclusive => 2,
            Self::Failed => 3,
            Self::Invalid => 4,
            Self::OurFault => 5,
            Self::Cancelled => 6,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status.number())
    }
}
