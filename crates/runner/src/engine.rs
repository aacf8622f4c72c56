//! The engine: how it is found, and the one port through which the run speaks to it.
//!
//! bollard is named only in this folder.

mod address;
mod build_stream;
mod candidates;
mod connect;
mod container;
mod context_store;
mod credentials;
mod docker;
mod error;
mod options;
mod ping;
mod port;
mod reference;

pub use connect::connect;
pub use options::{BuilderChoice, EngineEnvironment, EngineOptions};

pub(crate) use port::{
    BuildRequest, BuildUpdate, ContainerSpec, ContextStream, Created, Ended, Labelled, LocalImage,
    Output, Port, PullUpdate, Vertex,
};
pub(crate) use reference::Reference;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use docker::DockerPort;

/// A Docker engine (or what speaks its API) that answered.
#[derive(Debug)]
pub struct Engine {
    info: EngineInfo,
    port: Arc<DockerPort>,
}

impl Engine {
    /// What answered.
    #[must_use]
    pub const fn describe(&self) -> &EngineInfo {
        &self.info
    }

    /// What a run speaks to.
    pub(crate) fn port(&self) -> &DockerPort {
        &self.port
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

impl Builder {
    /// Its name, as `--builder` takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Buildkit => "buildkit",
        }
    }
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
