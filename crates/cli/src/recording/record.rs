//! One line of a recording.

use planner::Plan;
use runner::{Event, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::judge::{Expect, Judgement};
use crate::report::json::FindingRow;

/// What the first record names as its format.
pub(crate) const SCHEMA: &str = "recording/1";

/// One line of a recording.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub(crate) enum Record {
    /// The first record.
    Started(Start),
    /// The text of a definition file, so that a report can show the author's lines.
    File {
        /// Its path, as findings and plans name it, below the case's folder.
        path: String,
        /// Its text, lossy UTF-8.
        text: String,
    },
    /// A case that will be tried. All cases stand before the first event.
    Case {
        /// Its number, from 0.
        case: usize,
        /// What it is.
        about: Box<About>,
    },
    /// A try of a case begins; a second one only after infrastructure failed.
    Attempt {
        /// The case.
        case: usize,
        /// Milliseconds since the recording began.
        at_ms: u64,
        /// From 1.
        number: u32,
    },
    /// Something happened in a case.
    Event {
        /// The case.
        case: usize,
        /// Milliseconds since the recording began.
        at_ms: u64,
        /// What.
        event: Box<Event>,
    },
    /// A case has its verdict.
    Judged {
        /// The case.
        case: usize,
        /// Milliseconds since the recording began.
        at_ms: u64,
        /// The case whose run it shares, when its own would have been the same.
        shared_with: Option<usize>,
        /// How the run ended; `null` for a case that was not run.
        outcome: Option<Box<Outcome>>,
        /// What that means for the case.
        judgement: Judgement,
    },
    /// The last record. Without it the recording was cut short.
    Finished {
        /// Milliseconds since the recording began.
        at_ms: u64,
        /// The exit status.
        exit: u8,
    },
}

/// What a recording begins with.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Start {
    /// `recording/1`.
    pub(crate) schema: String,
    /// Drydock's version.
    pub(crate) version: String,
    /// `check` or `matrix`.
    pub(crate) command: String,
    /// When, in UTC (RFC 3339).
    pub(crate) started: String,
    /// The repository, as people call it.
    pub(crate) repository: String,
    /// The commit that is tried.
    pub(crate) commit: Option<String>,
    /// Whether definitions came from the working tree.
    pub(crate) dirty: bool,
}

/// What a case is.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct About {
    /// Its name, unique in the recording.
    pub(crate) name: String,
    /// The environment's name.
    pub(crate) environment: String,
    /// The agents that share its plan.
    pub(crate) agents: Vec<String>,
    /// The base that is tried.
    pub(crate) base: String,
    /// The builder that was asked for: `auto`, `classic`, `buildkit`.
    pub(crate) builder: String,
    /// The folder that its files are relative to, itself relative to the repository's root; empty for the root.
    pub(crate) folder: String,
    /// How it must end.
    pub(crate) expect: Expect,
    /// What is built; `null` when the definition has an error.
    pub(crate) plan: Option<Box<Plan>>,
    /// The Dockerfile that the plan comes to.
    pub(crate) dockerfile: String,
    /// What was found in its definition.
    pub(crate) findings: Vec<FindingRow>,
}
