//! What a caller asks a run to do.

use std::path::PathBuf;
use std::time::Duration;

use planner::Plan;
use serde::{Deserialize, Serialize};

/// One plan, and how to try it.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// What is built and tried.
    pub plan: Plan,
    /// The commit whose files fill the checkout; `None` when the plan mounts nothing.
    pub context: Option<ContextRequest>,
    /// Another base to try the same plan on.
    pub base: Option<String>,
    /// When the base is pulled.
    pub pull: PullPolicy,
    /// How long each part may take.
    pub timeouts: Timeouts,
    /// What is run in the image once it is built, in order, after our own checks.
    pub smoke: Vec<SmokeCommand>,
    /// Whether the image stays, under a name that the outcome tells.
    pub keep: bool,
}

/// A commit of a repository on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextRequest {
    /// Any folder of its working tree, or a bare repository.
    pub repository: PathBuf,
    /// The commit: a full object id, or anything that `git rev-parse` reads.
    pub commit: String,
}

/// When the base is pulled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PullPolicy {
    /// Every time: a mutable tag may have moved.
    Always,
    /// When the engine does not have it.
    #[default]
    Missing,
    /// Never: it is there or the run fails.
    Never,
}

/// How long each part may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// One setup entry. The plan's own limit for an entry stands when it is shorter.
    pub setup: Duration,
    /// Any other instruction of the Dockerfile.
    pub step: Duration,
    /// One smoke command.
    pub smoke: Duration,
    /// How long the engine may say nothing at all while it pulls or builds.
    pub silence: Duration,
}

impl Default for Timeouts {
    /// Ten minutes for a setup entry, as hosted; an hour for a step, the hosted client's limit.
    fn default() -> Self {
        Self {
            setup: Duration::from_secs(600),
            step: Duration::from_secs(3600),
            smoke: Duration::from_secs(600),
            silence: Duration::from_secs(300),
        }
    }
}

/// A command that must succeed in the image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmokeCommand {
    /// Its name in reports.
    pub name: String,
    /// Its text, for `/bin/sh -lc` with `set -eu` in front.
    pub command: String,
}
