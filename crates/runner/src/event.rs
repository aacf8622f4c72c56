//! What happens during a run, as one enum.

use planner::NotProven;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use triage::{Failure, Phase};

use crate::Outcome;

/// A step's name within a run: the index of its instruction in the plan.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct StepId(pub usize);

/// Something that happened during a run. Past tense, owned, serialisable: a run is a list of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A run of a plan began.
    RunStarted {
        /// The run's id: the value of our label on everything made for it.
        run: String,
        /// The plan's digest.
        plan_digest: String,
        /// The environment's name.
        environment: String,
        /// The base reference that is tried.
        base: String,
        /// Engine name and version.
        engine: String,
        /// `buildkit` or `classic`.
        builder: String,
        /// The commit whose files are the checkout.
        commit: Option<String>,
        /// What this run will not prove, whatever it ends with.
        not_proven: Vec<NotProven>,
    },
    /// A phase began.
    PhaseStarted {
        /// Which.
        phase: Phase,
    },
    /// A phase ended.
    PhaseFinished {
        /// Which.
        phase: Phase,
        /// How long it took, in milliseconds.
        duration_ms: u64,
        /// Whether all of it came from a cache.
        cached: bool,
    },
    /// Bytes of the base image arrived. Sent at most a few times a second.
    PullProgressed {
        /// Bytes so far.
        current: u64,
        /// Bytes in all, where known.
        total: Option<u64>,
    },
    /// Bytes of the build context were sent.
    ContextProgressed {
        /// Bytes so far.
        sent: u64,
    },
    /// A step's state changed. Sent again whenever it changes; the last one stands.
    StepUpdated {
        /// Which.
        step: StepId,
        /// Its phase.
        phase: Phase,
        /// A short name: the instruction's first line, or the setup entry's name.
        title: String,
        /// Its state.
        state: StepState,
    },
    /// Text of a step's output, lossy UTF-8. May hold part of a line.
    StepOutput {
        /// Which.
        step: StepId,
        /// Which stream.
        stream: Stream,
        /// The text.
        text: String,
    },
    /// A smoke command began.
    SmokeStarted {
        /// Its name.
        name: String,
    },
    /// Text of a smoke command's output.
    SmokeOutput {
        /// Its name.
        name: String,
        /// Which stream.
        stream: Stream,
        /// The text.
        text: String,
    },
    /// A smoke command ended.
    SmokeFinished {
        /// Its name.
        name: String,
        /// Its exit code.
        exit: i64,
        /// How long it took, in milliseconds.
        duration_ms: u64,
    },
    /// Something went wrong that decides the run.
    Failed {
        /// What.
        failure: Failure,
    },
    /// Something came up that this run cannot prove.
    LeftUnproven {
        /// What, and why.
        what: NotProven,
    },
    /// The image stays on the engine, because the caller asked for it.
    ImageKept {
        /// Its name.
        name: String,
    },
    /// Everything made on the engine was removed (or what could not be, and why).
    CleanedUp {
        /// How many containers and images were removed.
        removed: u32,
        /// What is left, in words; empty when nothing is.
        left: Vec<String>,
    },
    /// The run ended. Always the last event.
    RunFinished {
        /// The outcome.
        outcome: Outcome,
    },
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum StepState {
    /// It began.
    Running,
    /// It ended well.
    Done {
        /// Milliseconds.
        duration_ms: u64,
        /// Whether it came from the cache.
        cached: bool,
    },
    /// It failed.
    Failed {
        /// Milliseconds.
        duration_ms: u64,
    },
}

/// An output stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Receives what happens. An error asks the run to stop.
pub trait Reporter {
    /// Takes one event.
    ///
    /// # Errors
    /// When the event could not be passed on (a closed pipe).
    fn event(&mut self, event: &Event) -> std::io::Result<()>;
}
