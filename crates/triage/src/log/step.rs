//! One step of a build, as far as the log has told.

use super::shape::State;
use crate::essence::essence;
use crate::heard::Heard;
use crate::rule::Speaker;

/// Bytes of a title that are kept: a probe has 3,400.
const TITLE: usize = 8 * 1024;

/// How a builder names a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// BuildKit's number of the vertex.
    Number(u64),
    /// BuildKit's digest of the vertex (rawjson, trace).
    Digest(String),
    /// The title, where nothing else is told.
    Title,
}

/// A step.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) key: Key,
    /// The title as the builder shows it: `[2/9] RUN x`, or the instruction.
    pub(super) title: String,
    pub(super) state: State,
    /// The builder's error about it.
    pub(super) error: Option<String>,
    /// Its output; dropped when it ends well.
    pub(super) heard: Heard,
    /// Whether a container runs (classic): then its lines are the step's, else the engine's.
    pub(super) running: bool,
}

impl Step {
    pub(super) fn new(key: Key, title: &str) -> Self {
        Self {
            key,
            title: bounded(title),
            state: State::Running,
            error: None,
            heard: Heard::default(),
            running: false,
        }
    }

    /// The instruction: the title without `[stage 2/9]`.
    pub(super) fn instruction(&self) -> &str {
        instruction(&self.title)
    }

    /// Whether it ended well.
    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Hears an output line, unless it is an echo of the step's own text.
    pub(super) fn line(&mut self, number: u64, text: &str) {
        self.heard.line(number, text, Speaker::Both, &self.title);
    }

    /// Hears a line of the block that quotes the last output of a failed step.
    pub(super) fn quoted(&mut self, number: u64, text: &str) {
        self.heard.again(number, text, Speaker::Both, &self.title);
    }

    /// Takes a new state. What ended well cannot be the reason of anything.
    pub(super) fn set(&mut self, state: State) {
        // BuildKit goes on without a cache that it cannot read.
        let spared = state == State::Failed && self.title.starts_with("importing cache");
        let state = if spared { State::Done } else { state };
        if self.state != State::Failed {
            self.state = state;
        }
        if self.state == State::Done {
            self.heard = Heard::default();
        }
    }

    /// Whether it writes a build cache for the next build.
    pub(super) fn writes_cache(&self) -> bool {
        self.title.starts_with("exporting cache") || self.title.starts_with("exporting to GitHub")
    }

    /// Whether a command of a closing error is this step's.
    pub(super) fn runs(&self, command: &str) -> bool {
        let (mine, other) = (essence(self.instruction()), essence(command));
        let (mine, other) = (mine.as_bytes(), other.as_bytes());
        let common = mine.len().min(other.len()).min(120);
        common >= 3 && mine[..common] == other[..common]
    }
}

/// A title without the builder's counters.
pub(super) fn instruction(title: &str) -> &str {
    match title.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((_, rest)) => rest.trim_start(),
        None => title,
    }
}

pub(super) fn bounded(text: &str) -> String {
    let mut end = text.len().min(TITLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

/// Whether the first words about a vertex are its title, not a piece of its progress.
pub(super) fn is_title(text: &str) -> bool {
    ![
        "sha256:",
        "transferring ",
        "extracting ",
        "...",
        "digest:",
        "started:",
        "completed:",
        "duration:",
    ]
    .iter()
    .any(|start| text.trim_start().starts_with(start))
}
