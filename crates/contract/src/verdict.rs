//! The answer to "would the probe pass on this image?".

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Check, Level};

/// What the probe would say about an image.
///
/// The two builders differ in what they do before any shell runs, so each has its own answer. The
/// fields in front are BuildKit's: every engine since 23.0 uses it unless told otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContractVerdict {
    /// How it was reached: read from files, or predicted from metadata.
    pub level: Level,
    /// BuildKit's answer.
    pub answer: Answer,
    /// The classic builder's answer, where it is another one.
    pub classic: Option<Answer>,
    /// The five checks, in the probe's order, each as if the ones before it had passed.
    pub checks: Vec<CheckAnswer>,
    /// Paths that were asked for and had not been read. Empty once the verdict is final.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

impl ContractVerdict {
    /// The marker line that the probe would print, where it would print one.
    #[must_use]
    pub fn marker(&self) -> Option<String> {
        match &self.answer {
            Answer::Refused { marker, .. } => Some(marker.clone()),
            Answer::Accepted | Answer::Silent { .. } | Answer::Unreadable { .. } => None,
        }
    }

    /// Whether the build is certain to fail at the probe or before it, on both builders.
    #[must_use]
    pub fn is_certain_refusal(&self) -> bool {
        std::iter::once(&self.answer).chain(&self.classic).all(Answer::is_certain_refusal)
    }
}

/// What a build would show of the probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Answer {
    /// All checks pass and the probe ends well.
    Accepted,
    /// The probe prints a marker and fails.
    Refused {
        /// The check.
        check: Check,
        /// The line.
        marker: String,
        /// Why, in words.
        reason: String,
    },
    /// The build fails and no marker is printed: the probe's shell cannot run, the builder stops
    /// before it, or the probe dies behind its checks.
    Silent {
        /// What stands in the way.
        cause: Silence,
        /// Why, in words.
        reason: String,
    },
    /// The files do not say.
    Unreadable {
        /// Why.
        reason: String,
        /// Whether the build fails in any case (a later check is certain to fail).
        refused: bool,
    },
}

impl Answer {
    /// Whether the build is certain to fail.
    #[must_use]
    pub const fn is_certain_refusal(&self) -> bool {
        match self {
            Self::Refused { .. } | Self::Silent { .. } => true,
            Self::Unreadable { refused, .. } => *refused,
            Self::Accepted => false,
        }
    }
}

/// What keeps the probe from printing a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Silence {
    /// The image is for another platform.
    Platform,
    /// The builder finds no account for `USER root`.
    Account,
    /// The builder finds no list of groups for `USER root`.
    Groups,
    /// The shell is not there, or cannot be started.
    Shell,
    /// The shell is a link that leads to itself.
    ShellLoop,
    /// Every check passes, and what the probe does behind them fails.
    BehindChecks,
}

/// The answer of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckAnswer {
    /// Which.
    pub check: Check,
    /// What it says.
    pub result: CheckResult,
    /// Why, where it does not pass.
    pub reason: Option<String>,
}

/// What a check says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckResult {
    /// It passes.
    Pass,
    /// It fails.
    Fail,
    /// The files do not say.
    Unknown,
}
