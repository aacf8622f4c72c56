//! A failure: what failed, where, whose fault it is, and whether trying again can help.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Code;

/// What failed. The field names are a contract (`outcome.failure`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The code.
    pub code: Code,
    /// Where on the way it happened.
    pub phase: Phase,
    /// Who must act.
    pub owner: Owner,
    /// Whether trying again can help.
    pub retry: Retry,
    /// How long to wait before that, in seconds, where something names it.
    pub retry_after_s: Option<u64>,
    /// One line in plain words.
    pub summary: String,
    /// The lines that say so.
    pub evidence: Vec<Evidence>,
    /// The failing instruction, where it is known.
    pub instruction: Option<String>,
    /// The exit code of what failed.
    pub exit_code: Option<i64>,
    /// Where the author asked for it.
    pub source: Option<SourcePlace>,
    /// The contract's marker line, where the probe printed one.
    pub marker: Option<String>,
    /// What to do.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure with the owner and retry advice of its code, and nothing else yet.
    #[must_use]
    pub const fn new(code: Code, phase: Phase, summary: String) -> Self {
        Self {
            code,
            phase,
            owner: code.owner(),
            retry: code.retry(),
            retry_after_s: None,
            summary,
            evidence: Vec::new(),
            instruction: None,
            exit_code: None,
            source: None,
            marker: None,
            hint: None,
        }
    }
}

/// Where on the way something happens. The order is the order of the way.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before anything is built: the engine, the context, the definition.
    PreBuild,
    /// The image reference itself.
    ImageRef,
    /// The base is pulled.
    Pull,
    /// The contract probe.
    Probe,
    /// The platform's packages.
    Bootstrap,
    /// An authored step.
    AuthoredStep,
    /// The session's account is made.
    UserCreation,
    /// The repository is put in place.
    MountCopy,
    /// A setup entry.
    Setup,
    /// A smoke command.
    Smoke,
    /// The image is written.
    Export,
}

/// Who must act.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// Whoever wrote the definition or the repository.
    Author,
    /// Whoever chose or made the base image.
    BaseImage,
    /// Whoever runs engine, registry, network or mirror.
    Infrastructure,
    /// Us.
    Tool,
}

/// Whether trying again can help.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Retry {
    /// It will fail again.
    Never,
    /// It may pass later.
    Later,
}

/// A line that shows the failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Its number in the log or in the step's output, from 1.
    pub line: u64,
    /// Its text, colours removed.
    pub text: String,
}

/// A position in the author's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourcePlace {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}
