//! The engine: how it is found, and the one port through which the run speaks to it.
//!
//! bollard is named only in this folder.

mod options;

pub use options::{BuilderChoice, EngineEnvironment, EngineOptions};

use serde::{Deserialize, Serialize};

/// A Docker engine (or what speaks its API) that answered.
#[derive(Debug)]
pub struct Engine {
    info: EngineInfo,
}

impl Engine {
    /// What answered.
    #[must_use]
    pub const fn describe(&self) -> &EngineInfo {
        &self.info
    }
}

/// What answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInfo {
    /// `Docker Engine` or `Podman`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The API version that both sides speak.
    pub api: String,
    /// The builder that runs use.
    pub builder: Builder,
    /// Where it listens.
    pub host: String,
    /// What named that address: `--host`, `DOCKER_HOST`, a context, a default socket.
    pub found_by: String,
    /// Whether it is Podman's compatible API.
    pub podman: bool,
    /// Its own architecture, in Docker's words (`x86_64`).
    pub architecture: String,
}

/// A builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Builder {
    /// The old one, step by step.
    Classic,
    /// BuildKit.
    Buildkit,
}

/// No engine can be reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no container engine can be reached: {}", one_line(.tried))]
pub struct NoEngine {
    /// Each address that was tried, in order.
    pub tried: Vec<Tried>,
}

/// One address that was tried in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// What named it: `--host`, `DOCKER_HOST`, a context, a default socket.
    pub named_by: String,
    /// The address, where there is one.
    pub host: String,
    /// Why it did not serve.
    pub reason: String,
}

fn one_line(tried: &[Tried]) -> String {
    let all: Vec<String> =
        tried.iter().map(|t| format!("{} {} ({})", t.named_by, t.host, t.reason)).collect();
    all.join("; ")
}

/// Finds an engine the way Docker's own client does.
///
/// # Errors
/// [`NoEngine`] says what was tried.
pub async fn connect(_options: &EngineOptions) -> Result<Engine, NoEngine> {
    Err(NoEngine { tried: Vec::new() })
}
