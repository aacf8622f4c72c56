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

/// An error with its causes in one line.
pub(crate) fn in_words(error: &ContextError) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
