//! The outcome of a run.

use contract::Level;
use planner::NotProven;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use triage::{Failure, Phase};

/// How a run ended. The field names are a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// `outcome/1`.
    pub schema: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How much of it was seen happening.
    pub level: Level,
    /// What failed.
    pub failure: Option<Failure>,
    /// Where the time went.
    pub phases: Vec<PhaseTime>,
    /// The image's name, when it was kept.
    pub image: Option<String>,
    /// The plan's digest.
    pub plan_digest: String,
    /// What was not proven.
    pub not_proven: Vec<NotProven>,
}

/// The verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It works, as far as the level says.
    Passed,
    /// The definition, a step, setup, smoke or the base image must change.
    Failed,
    /// Infrastructure: nothing was learnt about the definition.
    Inconclusive,
    /// Somebody asked to stop.
    Cancelled,
}

/// The time of one phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseTime {
    /// Which.
    pub phase: Phase,
    /// Milliseconds.
    pub duration_ms: u64,
    /// Whether all of it came from a cache.
    pub cached: bool,
}
