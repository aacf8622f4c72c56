//! Lines of JSON: BuildKit's rawjson, and the engine's stream of a build or a pull.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::build::{Build, Kind};
use super::shape::State;
use super::step::{Key, bounded};
use super::trace;
use super::wrapper;

/// What one line of either stream can hold.
#[derive(Debug, Default, Deserialize)]
struct Line {
    #[serde(default)]
    vertexes: Option<Vec<Vertex>>,
    #[serde(default)]
    logs: Option<Vec<Log>>,
    #[serde(default)]
    statuses: Option<Vec<serde::de::IgnoredAny>>,
    #[serde(default)]
    stream: Option<String>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    aux: Option<serde_json::Value>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default, rename = "errorDetail")]
    error_detail: Option<Detail>,
    /// The dev container tool's last word, and what it says about it.
    #[serde(default)]
    outcome: Option<String>,
    #[serde(default)]
    message: Option<String>,
    /// Docker's own log driver, around any line.
    #[serde(default)]
    log: Option<String>,
}

/// A vertex of BuildKit's graph.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Vertex {
    pub(super) digest: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) completed: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    pub(super) cached: bool,
    #[serde(default)]
    pub(super) error: String,
}

#[derive(Debug, Deserialize)]
struct Log {
    vertex: String,
    #[serde(default)]
    data: String,
}

#[derive(Debug, Deserialize)]
struct Detail {
    #[serde(default)]
    message: String,
}

/// Takes a line, if it is one of these streams'.
pub(super) fn line(build: &mut Build, number: u64, text: &str) -> bool {
    let Ok(line) = serde_json::from_str::<Line>(text) else { return false };
    let mut known = line.statuses.is_some();
    for vertex in line.vertexes.into_iter().flatten() {
        known = true;
        self::vertex(build, number, &vertex);
    }
    for log in line.logs.into_iter().flatten() {
        known = true;
        if let Ok(bytes) = STANDARD.decode(&log.data) {
            self::log(build, number, &log.vertex, &String::from_utf8_lossy(&bytes));
        }
    }
    if let Some(words) = line.stream.or(line.log) {
        known = true;
        lines(build, number, &words);
    }
    if let (Some("moby.buildkit.trace"), Some(aux)) = (line.id.as_deref(), &line.aux) {
        known = true;
        build.kind = Kind::Buildkit;
        if let Some(bytes) = aux.as_str().and_then(|text| STANDARD.decode(text).ok()) {
            trace::read(build, number, &bytes);
        }
    } else if line.aux.is_some() {
        // The engine names the image that it made.
        known = true;
        if line.aux.as_ref().and_then(|aux| aux.get("ID")).is_some() {
            build.well = Some(number);
        }
    }
    if let Some(status) = line.status {
        known = true;
        if status.starts_with("Status: ") || super::ending::is_pushed(&status) {
            build.well = Some(number);
        }
    }
    match line.outcome.as_deref() {
        Some("success") => {
            known = true;
            build.well = Some(number);
        }
        Some("error") => {
            known = true;
            build.close(number, &line.message.unwrap_or_default());
        }
        _ => {}
    }
    let error = line.error_detail.map(|detail| detail.message).filter(|text| !text.is_empty());
    if let Some(error) = error.or(line.error) {
        known = true;
        build.close(number, &error);
    }
    known
}

/// Takes what is told about a vertex: again and again, the last word stands.
pub(super) fn vertex(build: &mut Build, number: u64, vertex: &Vertex) {
    build.kind = Kind::Buildkit;
    let at = build.step(&Key::Digest(bounded(&vertex.digest)), &vertex.name);
    let step = &mut build.steps[at];
    if step.title.is_empty() {
        step.title = bounded(&vertex.name);
    }
    if !vertex.error.is_empty() {
        let canceled = vertex.error.contains("context canceled");
        step.error.get_or_insert_with(|| bounded(&vertex.error));
        step.set(if canceled { State::Canceled } else { State::Failed });
    } else if vertex.cached || vertex.completed.is_some() {
        step.set(State::Done);
        if step.title.starts_with("exporting") {
            build.well = Some(number);
        }
    }
}

/// Takes output of a vertex.
pub(super) fn log(build: &mut Build, number: u64, digest: &str, words: &str) {
    build.kind = Kind::Buildkit;
    let at = build.step(&Key::Digest(bounded(digest)), "");
    for line in words.split(['\n', '\r']) {
        build.steps[at].line(number, &crate::ansi::strip(line));
    }
}

/// Takes text that another stream carries: its lines are those of a log.
fn lines(build: &mut Build, number: u64, words: &str) {
    for line in words.split(['\n', '\r']) {
        let line = crate::ansi::strip(line);
        let wrapped = wrapper::strip(&line);
        if !wrapped.text.trim().is_empty() && !wrapped.text.starts_with('{') {
            build.line(number, &wrapped, false);
        }
    }
}
