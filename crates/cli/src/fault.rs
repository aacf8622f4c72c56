//! Why a command could not do its work: one line, and the way out.

use crate::exit::Status;

/// A command's own failure (not a verdict about an environment).
#[derive(Debug)]
pub(crate) struct Fault {
    /// How the program ends.
    pub(crate) status: Status,
    /// One line: what is wrong and where.
    pub(crate) message: String,
    /// The way out.
    pub(crate) hint: Option<String>,
}

impl Fault {
    /// Wrong usage, or something that cannot be read.
    pub(crate) const fn usage(message: String) -> Self {
        Self { status: Status::Invalid, message, hint: None }
    }

    /// No engine.
    pub(crate) const fn no_engine(message: String) -> Self {
        Self { status: Status::NoEngine, message, hint: None }
    }

    /// A fault of ours.
    pub(crate) const fn ours(message: String) -> Self {
        Self { status: Status::OurFault, message, hint: None }
    }

    /// Infrastructure.
    pub(crate) const fn inconclusive(message: String) -> Self {
        Self { status: Status::Inconclusive, message, hint: None }
    }

    /// The commit's files cannot be had.
    pub(crate) fn context(error: &runner::ContextError) -> Self {
        let fault = Self::usage(error.in_one_line());
        match error.hint() {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }

    /// Adds the way out.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
