//! The JSON of images: index, manifest, config. All of it comes from outside.

use std::collections::BTreeMap;

use contract::{ImageConfig, Platform};
use serde::{Deserialize, Deserializer};

use crate::failure::{ReadCode, ReadFailure};

/// A pointer to a blob.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Descriptor {
    pub(crate) digest: String,
    #[serde(default)]
    pub(crate) size: Option<u64>,
    #[serde(default)]
    platform: Option<PlatformJson>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) annotations: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
struct PlatformJson {
    #[serde(default)]
    os: String,
    #[serde(default)]
    architecture: String,
    #[serde(default)]
    variant: Option<String>,
}

/// An index or a manifest: told by what is in it, for not every registry labels them.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Document {
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) manifests: Vec<Descriptor>,
    #[serde(default)]
    pub(crate) config: Option<Descriptor>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) layers: Vec<Descriptor>,
}

/// What an index comes to.
pub(crate) enum Choice<'a> {
    /// This manifest is for linux/amd64, or may be.
    Manifest(&'a Descriptor),
    /// There is none; the image is for this.
    OtherPlatform(Platform),
}

impl Document {
    pub(crate) fn parse(bytes: &[u8], name: &str) -> Result<Self, ReadFailure> {
        let document: Self = parse(bytes, name)?;
        if document.manifests.is_empty() && document.config.is_none() {
            let message = format!("{name} is neither an index nor a manifest");
            return Err(ReadFailure::new(ReadCode::ImageFormat, message));
        }
        Ok(document)
    }

    /// Chooses the manifest for linux/amd64.
    pub(crate) fn choose(&self) -> Option<Choice<'_>> {
        let fits = |descriptor: &&Descriptor, variant: bool| {
            descriptor.platform.as_ref().is_some_and(|platform| {
                platform.os == "linux"
                    && platform.architecture == "amd64"
                    && (variant || platform.variant.as_deref().unwrap_or("").is_empty())
            })
        };
        let real = || {
            self.manifests.iter().filter(|descriptor| {
                // Attestations stand beside images as images for a platform that does not exist.
                descriptor.platform.as_ref().is_none_or(|platform| platform.os != "unknown")
            })
        };
        let chosen = real()
            .find(|descriptor| fits(descriptor, false))
            .or_else(|| real().find(|descriptor| fits(descriptor, true)))
            .or_else(|| real().find(|descriptor| descriptor.platform.is_none()));
        if let Some(chosen) = chosen {
            return Some(Choice::Manifest(chosen));
        }
        let other = real().find_map(|descriptor| descriptor.platform.clone())?;
        let PlatformJson { os, architecture, variant } = other;
        Some(Choice::OtherPlatform(Platform { os, architecture, variant }))
    }
}

impl Descriptor {
    /// The digest in hexadecimal, when it is one that is understood here.
    pub(crate) fn sha256(&self) -> Result<&str, ReadFailure> {
        let hex = self.digest.strip_prefix("sha256:").filter(|hex| {
            hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        });
        hex.ok_or_else(|| {
            let message = format!("{:?} is no SHA-256 digest", self.digest);
            ReadFailure::new(ReadCode::ImageFormat, message)
        })
    }
}

/// An image's config.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ConfigJson {
    #[serde(default)]
    os: String,
    #[serde(default)]
    architecture: String,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    config: Option<RunJson>,
    #[serde(default)]
    rootfs: Option<RootFs>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct RootFs {
    #[serde(default, deserialize_with = "null_as_default")]
    diff_ids: Vec<String>,
}

/// The part of a config that engines call `Config`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct RunJson {
    #[serde(deserialize_with = "null_as_default")]
    env: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    shell: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    user: String,
    #[serde(deserialize_with = "null_as_default")]
    working_dir: String,
    #[serde(deserialize_with = "null_as_default")]
    entrypoint: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    cmd: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    on_build: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    volumes: BTreeMap<String, serde::de::IgnoredAny>,
}

impl ConfigJson {
    pub(crate) fn parse(bytes: &[u8], name: &str) -> Result<Self, ReadFailure> {
        parse(bytes, name)
    }

    /// The digests of the unpacked layers, the bottom one first.
    pub(crate) fn diff_ids(&self) -> &[String] {
        self.rootfs.as_ref().map_or(&[], |rootfs| rootfs.diff_ids.as_slice())
    }

    pub(crate) fn lower(self) -> (Platform, ImageConfig) {
        let or = |text: String, default: &str| {
            if text.is_empty() { default.to_owned() } else { text }
        };
        let platform = Platform {
            os: or(self.os, "linux"),
            architecture: or(self.architecture, "amd64"),
            variant: self.variant.filter(|variant| !variant.is_empty()),
        };
        (platform, self.config.unwrap_or_default().lower())
    }
}

impl RunJson {
    pub(crate) fn lower(self) -> ImageConfig {
        let Self { env, shell, user, working_dir, entrypoint, cmd, on_build, volumes } = self;
        let volumes = volumes.into_keys().collect();
        ImageConfig { env, shell, user, working_dir, entrypoint, cmd, on_build, volumes }
    }
}

/// Parses JSON that somebody else wrote.
pub(crate) fn parse<T: for<'a> Deserialize<'a>>(
    bytes: &[u8],
    name: &str,
) -> Result<T, ReadFailure> {
    serde_json::from_slice(bytes)
        .map_err(|error| ReadFailure::new(ReadCode::ImageFormat, format!("{name}: {error}")))
}

/// Go writes `null` for what is empty.
fn null_as_default<'a, D: Deserializer<'a>, T: Default + Deserialize<'a>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}
