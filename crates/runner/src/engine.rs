//! The engine, and the one port through which the run speaks to it.
//!
//! bollard is named only in this folder.

mod build_stream;
mod connect;
mod container;
mod credentials;
mod docker;
mod error;
mod options;
mod port;
mod reference;

pub use connect::connect;
pub use endpoint::{EngineEnvironment, NoEngine, Search, Tried};
pub use options::{BuilderChoice, EngineOptions};

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
    client: endpoint::Client,
}

impl Engine {
    /// What answered.
    #[must_use]
    pub const fn describe(&self) -> &EngineInfo {
        &self.info
    }

    /// The way to it, for whoever else has something to ask.
    #[must_use]
    pub const fn client(&self) -> &endpoint::Client {
        &self.client
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
