//! The build context: the files of one commit as a clone of it would have them, streamed.

mod survey;

pub use survey::{Listed, Survey, survey};

/// The context could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// git could not be started.
    #[error("git could not be started")]
    NoGit(#[source] std::io::Error),
    /// git refused.
    #[error("git {command} failed in {}: {message}", .repository.display())]
    Git {
        /// The subcommand.
        command: &'static str,
        /// Where.
        repository: std::path::PathBuf,
        /// Its words.
        message: String,
    },
    /// Reading or writing failed on this machine.
    #[error("{doing}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
}
