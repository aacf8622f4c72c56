//! Words, JSON and colour. Data goes to standard output, everything else to standard error.

mod annotations;
pub(crate) mod board;
pub(crate) mod explain;
mod failure;
pub(crate) mod files;
pub(crate) mod findings;
mod github;
mod headline;
mod html;
pub(crate) mod inspect;
pub(crate) mod json;
mod junit;
pub(crate) mod lines;
mod markdown;
pub(crate) mod progress;
mod sarif;
pub(crate) mod style;
pub(crate) mod summary;
pub(crate) mod text;
pub(crate) mod triage;
pub(crate) mod verdict;

use std::io::{self, Write};

use serde::Serialize;

use crate::exit::Status;
use crate::fault::Fault;

/// Writes a command's data.
pub(crate) fn data(bytes: &[u8]) -> Result<(), Fault> {
    let mut out = anstream::stdout().lock();
    written(out.write_all(bytes).and_then(|()| out.flush()))
}

/// What a recorded run came to, in one line.
pub(crate) fn headline(recorded: &crate::recording::Recorded) -> String {
    headline::headline(recorded)
}

/// The Markdown report of a recording.
pub(crate) fn markdown(recorded: &crate::recording::Recorded) -> String {
    markdown::document(recorded)
}

/// Writes a value as indented JSON with a newline.
pub(crate) fn json_pretty(value: &impl Serialize) -> Result<(), Fault> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| Fault::ours(error.to_string()))?;
    data(format!("{text}\n").as_bytes())
}

/// Writes to standard error. A reader that went away is no reason to stop.
pub(crate) fn note(words: &str) {
    let _ = anstream::stderr().lock().write_all(words.as_bytes());
}

/// Reports why a command could not do its work: one line, and the way out.
pub(crate) fn fault(fault: &Fault) -> Status {
    let (bad, good) = (style::ERROR, style::HINT);
    note(&format!("{bad}error{bad:#}: {}\n", text::plain(&fault.message)));
    if let Some(hint) = &fault.hint {
        note(&format!("  {good}try{good:#}: {}\n", text::plain(hint)));
    }
    fault.status
}

/// The public name of an enum's value: what JSON shows for it.
pub(crate) fn name_of(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        other => format!("{other:?}"),
    }
}

/// A reader that closes the pipe early (`| head`) has seen enough; that is not an error.
fn written(result: io::Result<()>) -> Result<(), Fault> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Fault::ours(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
