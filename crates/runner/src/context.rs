//! The build context: the files of one commit as a clone of it would have them, streamed.

mod archive;
mod git;
mod survey;
mod tar_entry;
mod unpack;

pub(crate) use archive::{Archive, Sending};
pub(crate) use git::{FOLDER_PREFIX, Objects};
pub use survey::{Listed, Survey, survey};
pub use unpack::unpack;

use std::path::PathBuf;

/// The context could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// git could not be started.
    #[error("git could not be started; it must be on PATH")]
    NoGit(#[source] std::io::Error),
    /// git refused.
    #[error("git {command} failed in {}: {message}", .repository.display())]
    Git {
        /// The subcommand.
        command: &'static str,
        /// Where.
        repository: PathBuf,
        /// Its words.
        message: String,
    },
    /// There is no place for git's few files of a run.
    #[error("no temporary folder can be made")]
    Temporary(#[source] std::io::Error),
    /// Reading or writing failed on this machine.
    #[error("{doing} failed")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
}

impl ContextError {
    /// The error with its cause, in one line.
    #[must_use]
    pub fn in_one_line(&self) -> String {
        match std::error::Error::source(self) {
            Some(source) => format!("{self}: {source}"),
            None => self.to_string(),
        }
    }

    /// The way out, where there is one.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoGit(_) => Some("install git; the commit's files are asked of it"),
            Self::Temporary(_) => Some("set `TMPDIR` to a folder that can be written"),
            Self::Git { .. } | Self::Io { .. } => None,
        }
    }
}
