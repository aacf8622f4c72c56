//! Removes what a killed run left: only what carries our labels, and only when its run is dead.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use triage::EngineError;

use crate::Engine;
use crate::context::FOLDER_PREFIX;
use crate::engine::{Labelled, Port};
use crate::identity::{Life, RUN, life, life_of};
use crate::leftovers::forget_old_cache;

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cleaned {
    /// Containers, by id.
    pub containers: Vec<String>,
    /// Images, by id or name.
    pub images: Vec<String>,
    /// Temporary folders of this machine.
    pub folders: Vec<PathBuf>,
    /// What belongs to a run that is alive, or that may be, and was left alone.
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
/// An image with a name was kept on purpose, and stays.
///
/// # Errors
/// When the engine cannot be asked.
pub async fn clean(engine: &Engine) -> Result<Cleaned, CleanError> {
    clean_on(engine.port(), &std::env::temp_dir()).await
}

/// The same on any port and folder.
pub(crate) async fn clean_on<P: Port>(port: &P, temporary: &Path) -> Result<Cleaned, CleanError> {
    let mut cleaned = Cleaned::default();
    let fail = |what| move |error| CleanError { what, message: in_words(error) };
    for found in port.containers(RUN).await.map_err(fail("containers"))? {
        if cleaned.is_dead("container", &found) {
            match port.remove_container(&found.id).await {
                Ok(()) => cleaned.containers.push(found.id),
                Err(e) => cleaned.left.push(format!("container {}: {}", found.id, in_words(e))),
            }
        }
    }
    for found in port.images(RUN).await.map_err(fail("images"))? {
        if found.names.is_empty() && cleaned.is_dead("image", &found) {
            match port.remove_image(&found.id).await {
                Ok(()) => cleaned.images.push(found.id),
                Err(e) => cleaned.left.push(format!("image {}: {}", found.id, in_words(e))),
            }
        }
    }
    cleaned.images.extend(forget_old_cache(port).await);
    cleaned.folders_of(temporary);
    Ok(cleaned)
}

impl Cleaned {
    fn is_dead(&mut self, what: &str, found: &Labelled) -> bool {
        let alive = match life(&found.labels, found.created_s) {
            Life::Dead => return true,
            Life::Alive => "its run is alive",
            Life::Unknown => "its run is another machine's and younger than a day",
        };
        self.in_use.push(format!("{what} {}: {alive}", found.id));
        false
    }

    /// Our temporary folders carry their process in their names.
    fn folders_of(&mut self, temporary: &Path) {
        for entry in std::fs::read_dir(temporary).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(FOLDER_PREFIX)) else {
                continue;
            };
            let process = rest.split('-').next().unwrap_or(rest);
            let path = entry.path();
            match life_of(process) {
                Life::Alive => self.in_use.push(format!("{}: its run is alive", path.display())),
                Life::Unknown => {}
                Life::Dead => match std::fs::remove_dir_all(&path) {
                    Ok(()) => self.folders.push(path),
                    Err(e) => self.left.push(format!("{}: {e}", path.display())),
                },
            }
        }
    }
}

fn in_words(error: EngineError) -> String {
    match error {
        EngineError::Status { message, .. }
        | EngineError::Stream { message }
        | EngineError::EngineGone { message } => message,
        other => format!("{other:?}"),
    }
}
