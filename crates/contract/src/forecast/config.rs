//! What the image's own config does to a build and to a session.

use super::{Note, NoteCode};
use crate::ImageConfig;

/// Variables that change how every program is linked.
const LOADER_VARIABLES: [&str; 4] = ["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "LD_DEBUG"];

pub(super) fn notes(config: &ImageConfig, notes: &mut Vec<Note>) {
    let mut note = |code, message| notes.push(Note::new(code, message));
    if !config.entrypoint.is_empty() {
        note(NoteCode::Entrypoint, format!("ENTRYPOINT is {:?}", config.entrypoint));
    }
    if !config.on_build.is_empty() {
        note(NoteCode::OnBuild, format!("ONBUILD has {:?}", config.on_build));
    }
    if !config.shell.is_empty() {
        note(NoteCode::Shell, format!("SHELL is {:?}", config.shell));
    }
    if !config.volumes.is_empty() {
        note(NoteCode::Volume, format!("VOLUME is {}", config.volumes.join(", ")));
    }
    if !matches!(config.user.split(':').next().unwrap_or(""), "" | "root" | "0") {
        note(NoteCode::User, format!("USER is {}", config.user));
    }
    for name in LOADER_VARIABLES {
        if let Some(value) = config.variable(name).filter(|value| !value.is_empty()) {
            note(NoteCode::LoaderVariables, format!("ENV sets {name} to {value:?}"));
        }
    }
}
