//! The plan: plain data, public fields, ordered collections, no methods that do work.

use environment::{Basis, Dialect, Place, SourceFile, StageId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything that will be built and tried, and for each part who asked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// `plan/1`.
    pub schema: String,
    /// The format that it was read from.
    pub dialect: Option<Dialect>,
    /// The environment's name.
    pub environment: String,
    /// The agent that uses it, where there is one.
    pub agent: Option<String>,
    /// `linux/amd64`.
    pub platform: String,
    /// What the image starts from.
    pub base: BaseImage,
    /// The Dockerfile, instruction by instruction, in order.
    pub instructions: Vec<Instruction>,
    /// The account that works in the image.
    pub session: Session,
    /// Where the repository at hand lands; `None` when nothing mounts it.
    pub checkout: Option<CheckoutPath>,
    /// The session's variables: literals are in the Dockerfile, secrets are only named.
    pub variables: Vec<Variable>,
    /// Processors for smoke commands, in thousandths of one.
    pub cpu_millis: Option<u64>,
    /// Memory for smoke commands, in MiB.
    pub memory_mib: Option<u64>,
    /// What a passing check of this plan does not prove.
    pub not_proven: Vec<NotProven>,
    /// The files that it was made from.
    pub sources: Vec<SourceFile>,
    /// SHA-256 over everything that decides the image and the trial, in hexadecimal.
    /// Equal plans (of other agents, from other files) have equal digests.
    pub digest: String,
    /// What the platform's snapshot cache is keyed by.
    pub snapshot_key: SnapshotKey,
}

/// What the image starts from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaseImage {
    /// The reference, as authored or as the preset table gives it.
    pub reference: String,
    /// The preset's name, where one was authored.
    pub preset: Option<String>,
    /// Whether the contract probe runs on it.
    pub probed: bool,
    /// Where the reference came from.
    pub basis: Option<Basis>,
}

impl BaseImage {
    /// Where the author wrote the reference.
    #[must_use]
    pub const fn place(&self) -> Option<&Place> {
        match &self.basis {
            Some(Basis::Authored { place, .. }) => Some(place),
            _ => None,
        }
    }
}

/// One Dockerfile instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instruction {
    /// The stage that it belongs to.
    pub stage: StageId,
    /// What it is for.
    pub kind: InstructionKind,
    /// Its bytes without the last newline. May hold several lines.
    pub text: String,
    /// The first of its lines in the Dockerfile, from 1.
    pub line: u32,
    /// How many lines it has there.
    pub lines: u32,
    /// Where the author asked for it; `None` for the platform's own.
    pub place: Option<Place>,
    /// The author's name for it (`setup` entries).
    pub name: Option<String>,
    /// How long it may run, in seconds, where the platform has a limit.
    pub timeout_s: Option<u64>,
    /// The packages that it installs, each with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<Package>,
}

/// A package that an instruction installs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Package {
    /// As authored, in its manager's syntax.
    pub spec: String,
    /// Where the author asked for it.
    pub place: Option<Place>,
}

/// What an instruction is for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum InstructionKind {
    /// `ARG` and `FROM`, and the switch to root.
    Base,
    /// The contract probe.
    Probe,
    /// The platform's packages, and the proof that shell and git are there.
    Bootstrap,
    /// One authored step.
    Step,
    /// Packages of one manager.
    Packages,
    /// The session's account.
    UserCreation,
    /// The repository at hand.
    Checkout,
    /// `USER`, `WORKDIR`, `ENV` of the session.
    Session,
    /// One setup entry.
    Setup,
}

/// The account that works in the image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// Its name.
    pub user: String,
    /// Its home folder.
    pub home: String,
    /// Where it starts; `None` when the definition gives no working directory.
    pub workdir: Option<String>,
}

/// Where the repository at hand lands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckoutPath {
    /// `owner/name` as authored.
    pub repository: String,
    /// The absolute path.
    pub path: String,
}

/// A variable of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its text; `None` for a secret, which only the platform holds.
    pub literal: Option<String>,
    /// The secret's name, never its value.
    pub secret: Option<String>,
    /// Whether the session can start without it.
    pub optional: bool,
}

/// Something that a passing check does not prove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotProven {
    /// A stable name (`harness-packages`).
    pub what: String,
    /// One sentence.
    pub why: String,
}

/// What the platform's snapshot cache is keyed by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotKey {
    /// SHA-256 over the parts, in hexadecimal.
    pub digest: String,
    /// The parts, in order.
    pub parts: Vec<SnapshotPart>,
    /// How long a snapshot may be reused, in seconds.
    pub reusable_for_s: Option<u64>,
}

/// One part of the snapshot key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotPart {
    /// `image`, `mounts`, `setup-commands`, `working-directory`.
    pub name: String,
    /// SHA-256 of the part's canonical JSON, in hexadecimal.
    pub digest: String,
    /// What a change of it means, in one line.
    pub changes_when: String,
}
