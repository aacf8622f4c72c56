//! The resolved environment: one linear list of stages over one file system, and what stands around it.
//!
//! It holds all four dialects. A value never looks like something that the author wrote unless the
//! author wrote it: each carries its [`Basis`].

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EnvKey, ImageRef, Place, RepoPath, SecretName, StageId, Text};

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it came from.
    pub basis: Basis,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Basis {
    /// The author wrote it.
    Authored {
        /// Where it is written.
        place: Place,
        /// The `imports` entries on the way to that file, outermost first; empty in the agent's own file.
        via: Arc<[Place]>,
    },
    /// The platform's published pages give it.
    DocumentedDefault {
        /// Which page.
        source: String,
    },
    /// Nothing published says so; we chose it.
    Assumed {
        /// Why this and not another.
        why: String,
    },
    /// Nothing published says so, and the value is a placeholder.
    Unknown,
}

/// An environment with everything that its agent adds to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResolvedEnvironment {
    /// `resolved-environment/1`.
    pub schema: String,
    /// What it was made from.
    pub origin: Origin,
    /// What the image starts from.
    pub base: Base,
    /// The contract that the base must meet: `debian-contract-v0` for a direct base of the `auto` dialect.
    pub contract: Option<Sourced<String>>,
    /// Who builds and who works.
    pub accounts: Accounts,
    /// The session's working directory. `None` (and no checkout) means that setup is skipped.
    pub workdir: Option<Sourced<String>>,
    /// Repositories that are put into the file system, in order.
    pub checkouts: Vec<Checkout>,
    /// Variables, in order, one entry for each name and layer.
    pub variables: Vec<Variable>,
    /// What happens, in order.
    pub stages: Vec<Stage>,
    /// What the session may reach.
    pub network: Network,
    /// What it gets to compute with.
    pub compute: Compute,
    /// What a later session may reuse.
    pub reuse: Reuse,
    /// Authored keys that have no meaning here, verbatim.
    pub extensions: BTreeMap<String, serde_json::Value>,
    /// What no published page decides and we chose: a passing check does not prove it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
}

/// Something that no published page decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    /// A stable name (`script-shell`).
    pub what: String,
    /// What is open, and what we took.
    pub why: String,
}

impl From<&(&str, &str)> for Assumption {
    fn from((what, why): &(&str, &str)) -> Self {
        Self { what: (*what).to_owned(), why: (*why).to_owned() }
    }
}

/// What a resolved environment was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The format.
    pub dialect: Dialect,
    /// The generation of the format: decides limits and vocabulary (`a2`).
    pub profile: String,
    /// The environment's name.
    pub name: Option<Sourced<String>>,
    /// The agent that uses it, where the dialect has agents.
    pub agent: Option<Sourced<String>>,
    /// The author's description.
    pub description: Option<Sourced<String>>,
    /// Labels on the environment.
    pub labels: BTreeMap<String, Sourced<String>>,
    /// Annotations on the environment.
    pub annotations: BTreeMap<String, Sourced<String>>,
    /// Every file that was read for it, in merge order (the agent's own file last).
    pub sources: Vec<SourceFile>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceFile {
    /// Its path.
    pub path: RepoPath,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: Arc<str>,
}

/// A definition format.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// auto.
    Auto,
    /// Ellipsis.
    Ellipsis,
    /// Qoder Cloud Agents.
    Qoder,
    /// Claude Managed Agents.
    Claude,
}

/// What the image starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Base {
    /// A name from the platform's table.
    Preset {
        /// The authored name.
        name: Sourced<String>,
        /// What the published table gives for it.
        reference: Sourced<ImageRef>,
    },
    /// One image reference, used directly.
    Image {
        /// The reference as written (trimmed).
        reference: Sourced<ImageRef>,
    },
    /// The platform's own image, which nobody else has.
    Vendor {
        /// Its name in our tables.
        name: Sourced<String>,
        /// The public image nearest to it.
        stand_in: Sourced<ImageRef>,
    },
}

/// One row of a preset table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name that authors write.
    pub name: &'static str,
    /// The reference that the platform uses for it.
    pub reference: &'static str,
}

/// Who builds and who works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accounts {
    /// The account that image instructions run as.
    pub build: Sourced<String>,
    /// The account that the session runs as.
    pub session: Sourced<String>,
    /// Its home folder.
    pub home: Sourced<String>,
    /// Its login shell.
    pub login_shell: Sourced<String>,
}

/// A repository in the file system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checkout {
    /// `owner/name`.
    pub repository: Sourced<String>,
    /// Where it lands, absolute.
    pub path: Sourced<String>,
    /// Branch, tag or commit; `None` is the default branch.
    pub reference: Option<Sourced<String>>,
}

/// A variable of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub name: Sourced<EnvKey>,
    /// Its value.
    pub value: VariableValue,
    /// Who declared it.
    pub layer: VariableLayer,
}

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum VariableValue {
    /// Text in the definition.
    Literal {
        /// The text.
        text: Sourced<String>,
    },
    /// The name of a secret that only the platform holds.
    Secret {
        /// The secret's name, never its value.
        name: Sourced<SecretName>,
        /// What happens when the platform does not hold it.
        on_missing: OnMissing,
    },
}

/// What a missing secret does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnMissing {
    /// Applying or starting fails.
    Fail,
    /// The variable is left out.
    Omit,
}

/// Who declared a variable.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum VariableLayer {
    /// The environment.
    Environment,
    /// The agent that uses it.
    Agent,
}

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

/// What the session may reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "mode", rename_all = "kebab-case")]
pub enum Network {
    /// The dialect has no word for it.
    Unspecified,
    /// Everything.
    Unrestricted,
    /// What is listed.
    Limited {
        /// Host names and wildcards.
        hosts: Vec<Sourced<String>>,
        /// The hosts of package managers.
        package_managers: Sourced<bool>,
        /// The hosts of the agent's MCP servers.
        mcp_servers: Sourced<bool>,
    },
}

/// What the session gets to compute with. `None`: nobody says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compute {
    /// Processors, in thousandths of one.
    pub cpu_millis: Option<Sourced<u64>>,
    /// Memory in MiB. The basis of the unit is in `memory_unit`.
    pub memory_mib: Option<Sourced<u64>>,
    /// `binary`, `decimal`, or `unknown`: what the dialect's unit was taken to be.
    pub memory_unit: Option<String>,
    /// Disk in MiB.
    pub disk_mib: Option<Sourced<u64>>,
    /// Wall clock of a session, in seconds.
    pub run_timeout_s: Option<Sourced<u64>>,
}

/// What a later session may reuse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reuse {
    /// Outermost last.
    pub layers: Vec<ReuseLayer>,
}

/// One reusable layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReuseLayer {
    /// `image` or `snapshot`.
    pub name: String,
    /// The names of the parts that key it.
    pub parts: Vec<String>,
    /// How long it may be reused, in seconds.
    pub ttl_s: Option<Sourced<u64>>,
}
