//! Stages: what happens, in order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Sourced;
use crate::{StageId, Text};

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stage {
    /// Its stable name.
    pub id: StageId,
    /// What kind of thing.
    pub kind: StageKind,
    /// The author's name for it.
    pub name: Option<Sourced<String>>,
    /// When it happens first.
    pub trigger: Trigger,
    /// When it happens again.
    pub also_at: Vec<Trigger>,
    /// Who runs it.
    pub user: Account,
    /// The argument vector that its text is given to; `None` for a Dockerfile instruction.
    pub shell: Option<Vec<String>>,
    /// What the platform puts in front of the author's text.
    pub prelude: Option<String>,
    /// The author's text.
    pub body: Body,
    /// Where it runs.
    pub workdir: Workdir,
    /// How long at most, in seconds.
    pub timeout_s: Option<Sourced<u64>>,
    /// How often.
    pub repeat: Repeat,
    /// What its result becomes part of.
    pub persists: Persists,
    /// What identifies and holds its artefacts.
    pub cache: Option<Cache>,
    /// What its failure means on the platform.
    pub on_failure: OnFailure,
}

/// The kind of a stage.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum StageKind {
    /// The contract probe.
    Probe,
    /// The platform's own packages.
    Bootstrap,
    /// One authored Dockerfile instruction.
    ImageInstruction,
    /// Packages of one manager.
    PackageInstall,
    /// The session's account is made.
    UserCreation,
    /// The repositories are put in place.
    Checkout,
    /// Authored shell text.
    Script,
}

/// When a stage happens.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// When the image is built.
    ImageBuild,
    /// When the snapshot with the sources is built.
    SourceBuild,
    /// When a sandbox is made.
    SandboxCreate,
    /// When a session starts.
    SessionStart,
    /// When a session resumes.
    SessionResume,
}

/// Who runs a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Account {
    /// `root`.
    Root,
    /// The session's account.
    Session,
    /// Not published.
    Unknown,
}

/// What a stage runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Body {
    /// The platform's own business: probe, bootstrap, account, checkout.
    Platform,
    /// One Dockerfile instruction.
    Instruction {
        /// As authored.
        text: Text,
    },
    /// Commands that share one shell.
    Commands {
        /// As authored, in order.
        commands: Vec<Text>,
    },
    /// Packages of one manager.
    Packages {
        /// `apt`, `npm`, `pip`, …
        manager: String,
        /// In the manager's own syntax.
        specs: Vec<Text>,
    },
}

/// Where a stage runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Workdir {
    /// Wherever the image is.
    Inherit,
    /// The session's working directory; the stage is skipped when there is none.
    Session,
    /// A fixed path.
    Path {
        /// Absolute.
        path: String,
    },
}

/// How often a stage runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    /// Each time its trigger comes.
    EveryTime,
    /// Once for an image.
    OncePerImage,
    /// Once for a sandbox; a marker inside it remembers.
    OncePerSandbox,
}

/// What a stage's result becomes part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Persists {
    /// The image.
    Image,
    /// The snapshot.
    Snapshot,
    /// The sandbox.
    Sandbox,
    /// Nothing.
    None,
}

/// What identifies and holds a stage's artefacts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cache {
    /// The author's lever to force a rebuild.
    pub key: Option<Sourced<String>>,
    /// Files that identify the artefact, relative to the working directory.
    pub files: Vec<Sourced<String>>,
    /// Folders that hold it, absolute.
    pub paths: Vec<Sourced<String>>,
}

/// What a failure of a stage means on the platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OnFailure {
    /// The platform's word for it (`image_build`).
    pub code: String,
    /// What it takes down.
    pub scope: Scope,
}

/// What a failure takes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The image.
    Image,
    /// The environment.
    Environment,
    /// One session.
    Session,
}
