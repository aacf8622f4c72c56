//! The resolved environment: one linear list of stages over one file system, and what stands around it.
//!
//! It holds all four dialects. A value never looks like something that the author wrote unless the
//! author wrote it: each carries its [`Basis`].

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EnvKey, ImageRef, Place, RepoPath, SecretName};

mod stage;

pub use stage::{
    Account, Body, Cache, OnFailure, Persists, Repeat, Scope, Stage, StageKind, Trigger, Workdir,
};

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
