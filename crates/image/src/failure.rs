//! Why an image could not be read: one table of codes, each with its owner and retry advice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An image that could not be read. The message says where, the code says what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, JsonSchema)]
#[error("{message}")]
pub struct ReadFailure {
    /// What kind of failure.
    pub code: ReadCode,
    /// One line in plain words.
    pub message: String,
    /// How long to wait before trying again, in seconds, where the other side says so.
    pub retry_after_s: Option<u64>,
}

impl ReadFailure {
    pub(crate) const fn new(code: ReadCode, message: String) -> Self {
        Self { code, message, retry_after_s: None }
    }

    /// Whether the same call may go through at once.
    pub(crate) const fn is_worth_a_retry(&self) -> bool {
        matches!(self.code.retry(), ReadRetry::Later)
    }
}

/// Who must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadOwner {
    /// Whoever asked: the reference, the credentials.
    Author,
    /// Whoever made the image.
    BaseImage,
    /// Whoever runs the registry, the engine or the network between.
    Infrastructure,
}

/// Whether trying again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReadRetry {
    /// It will fail again.
    Never,
    /// It may pass later.
    Later,
}

/// Declares [`ReadCode`] from one table: variant, public name, owner, retry, advice.
macro_rules! codes {
    ($($variant:ident = $name:literal, $owner:ident, $retry:ident, $hint:literal;)*) => {
        /// Why an image could not be read. Names are public and never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum ReadCode { $(#[doc = $hint] #[serde(rename = $name)] $variant,)* }

        impl ReadCode {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Who must act.
            #[must_use]
            pub const fn owner(self) -> ReadOwner {
                match self { $(Self::$variant => ReadOwner::$owner,)* }
            }

            /// Whether trying again can help.
            #[must_use]
            pub const fn retry(self) -> ReadRetry {
                match self { $(Self::$variant => ReadRetry::$retry,)* }
            }

            /// The way out.
            #[must_use]
            pub const fn hint(self) -> &'static str {
                match self { $(Self::$variant => $hint,)* }
            }
        }
    };
}

codes! {
    InvalidReference = "invalid-reference", Author, Never,
        "Write the reference as `registry/repository:tag`, or give the path of an image on disk.";
    ImageMissing = "image-missing", Author, Never,
        "Look at the name or the path: there is no such image.";
    ManifestUnknown = "manifest-unknown", Author, Never,
        "Look at the tag or digest: the registry does not have it.";
    NoMatchingManifest = "no-matching-manifest", BaseImage, Never,
        "Choose a base that is published for linux/amd64.";
    RegistryAuth = "registry-auth", Author, Never,
        "Log in to the registry (`docker login`); anonymous reading was tried where there were no credentials.";
    PullAccessDenied = "pull-access-denied", Author, Never,
        "Ask for read access to the repository: the registry knows who asks and says no.";
    RegistryRateLimit = "registry-rate-limit", Infrastructure, Later,
        "Wait, or log in for a higher limit, or read through a mirror.";
    RegistryError = "registry-error", Infrastructure, Later,
        "The registry failed on its own side; try again later.";
    RegistrySilent = "registry-silent", Infrastructure, Later,
        "The registry took the request and sent nothing; try again, or look at the network between.";
    RegistryNetwork = "registry-network", Infrastructure, Later,
        "Look at the registry's name, the network and the proxy settings.";
    RegistryAnswer = "registry-answer", Infrastructure, Never,
        "What answers there does not speak the registry protocol.";
    DigestMismatch = "digest-mismatch", Infrastructure, Later,
        "What arrived is not what the manifest promises: a damaged mirror, proxy or file.";
    BlobCut = "blob-cut", Infrastructure, Later,
        "The data ended early; try again, or fetch the file again.";
    LayerCorrupt = "layer-corrupt", BaseImage, Never,
        "The image must be built or saved again: one of its layers cannot be unpacked.";
    ImageFormat = "image-format", BaseImage, Never,
        "Give an OCI layout, a `docker save` archive, a root file system or a reference of an image.";
    ImageLimit = "image-limit", BaseImage, Never,
        "The image is larger or stranger than is read here; `drydock check --no-static` builds all the same.";
    EngineUnreachable = "engine-unreachable", Infrastructure, Later,
        "Start the engine or set DOCKER_HOST; images on disk and in registries need none.";
    EngineAnswer = "engine-answer", Infrastructure, Later,
        "The engine refused to show the image; its own words are in the message.";
}
