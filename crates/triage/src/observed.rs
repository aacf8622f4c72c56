//! What `drydock check` saw when something failed: typed first, text second.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Phase, SourcePlace};

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// Where on the way it happened.
    pub phase: Phase,
    /// What the engine (or we) said in a typed way.
    pub error: EngineError,
    /// The step or command that failed, where one did.
    pub step: Option<FailedStep>,
}

/// The typed part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EngineError {
    /// The engine answered a request with an HTTP status and a message.
    Status {
        /// The HTTP status.
        status: u16,
        /// The engine's words.
        message: String,
    },
    /// A build or pull stream ended with an error message.
    Stream {
        /// The engine's words.
        message: String,
    },
    /// A command ended.
    Exit {
        /// Its exit code.
        code: i64,
        /// Whether the kernel killed it for memory.
        oom_killed: bool,
    },
    /// A limit of ours ran out.
    TimedOut {
        /// The limit, in seconds.
        limit_s: u64,
        /// Whether it was the watchdog on silence.
        silent: bool,
    },
    /// The image that was pulled is for another platform.
    WrongPlatform {
        /// `os/architecture` of the image.
        found: String,
    },
    /// The connection to the engine broke, or it never answered.
    EngineGone {
        /// What broke.
        message: String,
    },
    /// The build context could not be made.
    Context {
        /// git's words.
        message: String,
    },
    /// Somebody asked us to stop.
    Cancelled,
}

/// The step or command that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailedStep {
    /// The instruction or command, as authored.
    pub instruction: String,
    /// The author's name for it (`setup` entries, smoke commands).
    pub name: Option<String>,
    /// Its own output, both streams, without the builder's prefixes.
    pub output: String,
    /// Where the author asked for it.
    pub source: Option<SourcePlace>,
    /// The packages that it installs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<AskedPackage>,
}

/// A package that a step installs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskedPackage {
    /// As authored, in its manager's syntax.
    pub spec: String,
    /// Where the author asked for it.
    pub source: Option<SourcePlace>,
}
