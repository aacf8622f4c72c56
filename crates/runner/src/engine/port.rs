//! The one port to an engine: what a run asks of it, in our own types.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use serde::{Deserialize, Serialize};
use triage::EngineError;

use super::{Builder, Reference};
use crate::Stream;

/// What an engine can do for a run.
///
/// Streams are lazy; dropping one ends what it stands for.
pub(crate) trait Port {
    /// The builder that [`Port::build`] uses.
    fn builder(&self) -> Builder;

    /// An image that the engine has.
    async fn image(&self, reference: &str) -> Result<Option<LocalImage>, EngineError>;

    /// Pulls for `linux/amd64`, with the credentials that the user keeps for the registry.
    fn pull<'a>(
        &'a self,
        reference: &'a Reference,
    ) -> BoxStream<'a, Result<PullUpdate, EngineError>>;

    /// Builds. `context` is a tar stream with `Dockerfile` in its root.
    fn build(
        &self,
        request: BuildRequest,
        context: ContextStream,
    ) -> BoxStream<'_, Result<BuildUpdate, EngineError>>;

    /// Gives an image a name.
    async fn tag(&self, image: &str, repository: &str, tag: &str) -> Result<(), EngineError>;

    /// Makes a container.
    async fn create(&self, container: &ContainerSpec) -> Result<Created, EngineError>;

    /// Starts it, and follows its output to the end.
    async fn start(
        &self,
        container: &str,
    ) -> Result<BoxStream<'static, Result<Output, EngineError>>, EngineError>;

    /// Waits until it is not running, and says how it ended.
    async fn ended(&self, container: &str) -> Result<Ended, EngineError>;

    /// Kills and removes it, with the volumes that came with it.
    async fn remove_container(&self, container: &str) -> Result<(), EngineError>;

    /// Removes an image and leaves its parents, which are the classic builder's cache.
    async fn remove_image(&self, image: &str) -> Result<(), EngineError>;

    /// Removes an image that nothing stands on, and those of its parents that have no other child.
    async fn remove_chain(&self, image: &str) -> Result<(), EngineError>;

    /// Containers that carry `label` (`name` or `name=value`).
    async fn containers(&self, label: &str) -> Result<Vec<Labelled>, EngineError>;

    /// Images that carry `label`.
    async fn images(&self, label: &str) -> Result<Vec<Labelled>, EngineError>;
}

/// The build context.
pub(crate) type ContextStream = BoxStream<'static, std::io::Result<Bytes>>;

/// An image that the engine has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LocalImage {
    /// Its id.
    pub(crate) id: String,
    /// `os/architecture`.
    pub(crate) platform: String,
    /// Folders that its config declares as volumes.
    pub(crate) volumes: Vec<String>,
}

/// A layer moved on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PullUpdate {
    /// The layer, where it is about one.
    pub(crate) layer: Option<String>,
    /// Bytes so far.
    pub(crate) current: Option<u64>,
    /// Bytes in all.
    pub(crate) total: Option<u64>,
    /// Whether the bytes are those that come over the network.
    pub(crate) downloading: bool,
}

/// A build.
#[derive(Clone, Debug, Default)]
pub(crate) struct BuildRequest {
    /// Build arguments.
    pub(crate) arguments: BTreeMap<String, String>,
    /// Labels of the image.
    pub(crate) labels: BTreeMap<String, String>,
}

/// Something that a builder said. Recordings of builds are lists of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub(crate) enum BuildUpdate {
    /// BuildKit: a vertex, sent again at every change.
    Vertex(Vertex),
    /// BuildKit: bytes of a vertex's output.
    Log {
        /// The vertex's digest.
        vertex: String,
        /// The stream.
        stream: Stream,
        /// The bytes.
        #[serde(with = "readable")]
        bytes: Vec<u8>,
    },
    /// BuildKit: a vertex does something that takes time and prints nothing (a transfer).
    Progress,
    /// Classic: a message.
    Text {
        /// Its text.
        text: String,
    },
    /// The image is there.
    Image {
        /// Its id.
        id: String,
    },
}

/// A vertex of BuildKit's graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Vertex {
    /// Its identity.
    pub(crate) digest: String,
    /// Its name: `[2/9] RUN …`, `[internal] load build context`, `exporting to image`.
    pub(crate) name: String,
    /// When it began, in milliseconds since 1970.
    pub(crate) started_ms: Option<i64>,
    /// When it ended.
    pub(crate) completed_ms: Option<i64>,
    /// Whether it came from the cache.
    pub(crate) cached: bool,
    /// Why it failed; empty when it did not.
    pub(crate) error: String,
}

/// A container to make.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContainerSpec {
    /// The image.
    pub(crate) image: String,
    /// What runs, whatever the image says.
    pub(crate) command: Vec<String>,
    /// As whom.
    pub(crate) user: String,
    /// Where.
    pub(crate) workdir: Option<String>,
    /// Variables, as `NAME=text`, above the image's own.
    pub(crate) environment: Vec<String>,
    /// Processors, in thousandths of one.
    pub(crate) cpu_millis: Option<u64>,
    /// Memory, in bytes.
    pub(crate) memory: Option<u64>,
    /// Its labels.
    pub(crate) labels: BTreeMap<String, String>,
}

/// A container that was made.
#[derive(Clone, Debug)]
pub(crate) struct Created {
    /// Its id.
    pub(crate) id: String,
    /// What the engine could not give it.
    pub(crate) warnings: Vec<String>,
}

/// Bytes of a container's output.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The stream.
    pub(crate) stream: Stream,
    /// The bytes.
    pub(crate) bytes: Bytes,
}

/// How a container ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its exit code.
    pub(crate) code: i64,
    /// Whether the kernel killed it for memory.
    pub(crate) oom_killed: bool,
}

/// Something on the engine that carries a label of ours.
#[derive(Clone, Debug)]
pub(crate) struct Labelled {
    /// Its id.
    pub(crate) id: String,
    /// All its labels.
    pub(crate) labels: BTreeMap<String, String>,
    /// Its names; an image without one was never kept.
    pub(crate) names: Vec<String>,
    /// When it was made, in seconds since 1970.
    pub(crate) created_s: i64,
}

/// Bytes in a recording, so that people can read them: each as the character of its number.
mod readable {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&bytes.iter().copied().map(char::from).collect::<String>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        text.chars().map(|c| u8::try_from(c).map_err(D::Error::custom)).collect()
    }
}
