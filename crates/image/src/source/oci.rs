//! Images on disk: an OCI layout (folder or tar), a `docker save` archive, a tar of a root file system.

use std::io::Read;
use std::path::Path;

use contract::{ImageConfig, Platform};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::archive::Store;
use super::manifest::{Choice, ConfigJson, Descriptor, Document, parse};
use super::{Blobs, Files, LayerRef, Opened};
use crate::blob;
use crate::failure::{ReadCode, ReadFailure};

/// An index may name an index; this deep, and no deeper.
const MAX_INDEXES: u32 = 4;
/// The annotations that carry a tag.
const TAG: [&str; 2] = ["org.opencontainers.image.ref.name", "io.containerd.image.name"];

/// The only entry of `manifest.json` in a `docker save` archive, or one of several.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Saved {
    config: String,
    #[serde(default)]
    repo_tags: Option<Vec<String>>,
    layers: Vec<String>,
}

/// Opens a tar file: whichever of the three it holds.
pub(crate) fn open_tar(path: &Path, tag: Option<&str>) -> Result<Opened, ReadFailure> {
    let store = Store::tar(path)?;
    if store.has("index.json") {
        layout(store, tag)
    } else if store.has("manifest.json") {
        saved(store, tag)
    } else {
        root_tar(path)
    }
}

/// Opens an OCI layout.
pub(crate) fn layout(store: Store, tag: Option<&str>) -> Result<Opened, ReadFailure> {
    let mut name = store.place("index.json");
    let mut document = Document::parse(&store.read("index.json")?, &name)?;
    if document.manifests.len() > 1 || tag.is_some() {
        document.manifests = one_of(document.manifests, tag, &name)?;
    }
    for _ in 0..MAX_INDEXES {
        let Some(config) = &document.config else {
            let chosen = match document.choose() {
                Some(Choice::Manifest(chosen)) => chosen.clone(),
                Some(Choice::OtherPlatform(platform)) => return Ok(other_platform(platform)),
                None => break,
            };
            name = chosen.digest.clone();
            document = Document::parse(&checked(&store, &chosen)?, &name)?;
            continue;
        };
        let config = ConfigJson::parse(&checked(&store, config)?, &config.digest)?;
        let (platform, config) = config.lower();
        let mut layers = Vec::new();
        for layer in &document.layers {
            layers.push(Layer {
                file: format!("blobs/sha256/{}", layer.sha256()?),
                about: layer_ref(layer),
            });
        }
        let files = Files::Layers(Box::new(OnDisk::new(store, layers)));
        return Ok(Opened { platform, config, size: None, files });
    }
    let message = format!("{name} leads to no image");
    Err(ReadFailure::new(ReadCode::NoMatchingManifest, message))
}

/// The layer of a manifest.
pub(crate) fn layer_ref(layer: &Descriptor) -> LayerRef {
    let short: String = layer.digest.chars().take(19).collect();
    LayerRef {
        name: format!("layer {short}"),
        digest: Some(layer.digest.clone()),
        size: layer.size,
    }
}

/// An image that is for another platform: nothing of it has to be read.
pub(crate) fn other_platform(platform: Platform) -> Opened {
    let files = Files::Layers(Box::new(OnDisk::new(Store::Folder("".into()), Vec::new())));
    Opened { platform, config: ImageConfig::default(), size: None, files }
}

/// The manifests that the tag means.
fn one_of(
    manifests: Vec<Descriptor>,
    tag: Option<&str>,
    name: &str,
) -> Result<Vec<Descriptor>, ReadFailure> {
    let tags = |descriptor: &Descriptor| -> Vec<String> {
        TAG.iter().filter_map(|key| descriptor.annotations.get(*key).cloned()).collect()
    };
    let mut known: Vec<String> = manifests.iter().flat_map(&tags).collect();
    known.sort();
    known.dedup();
    let Some(tag) = tag else {
        // Several platforms of one image have no tag, or the same one.
        if manifests.iter().map(tags).collect::<std::collections::BTreeSet<_>>().len() <= 1 {
            return Ok(manifests);
        }
        return Err(several(name, &known));
    };
    let is_it = |known: &String| known == tag || known.ends_with(&format!(":{tag}"));
    let chosen: Vec<_> = manifests
        .into_iter()
        .filter(|descriptor| descriptor.digest == tag || tags(descriptor).iter().any(is_it))
        .collect();
    if chosen.is_empty() {
        let message = format!("{name} has no {tag:?}, only {}", known.join(", "));
        return Err(ReadFailure::new(ReadCode::ImageMissing, message));
    }
    Ok(chosen)
}

fn several(name: &str, known: &[String]) -> ReadFailure {
    let message = format!(
        "{name} holds several images; name one of {} behind the path and a colon",
        known.join(", ")
    );
    ReadFailure::new(ReadCode::InvalidReference, message)
}

/// A small blob whose digest is right.
fn checked(store: &Store, descriptor: &Descriptor) -> Result<Vec<u8>, ReadFailure> {
    let bytes = store.read(&format!("blobs/sha256/{}", descriptor.sha256()?))?;
    let found = Sha256::digest(&bytes);
    blob::check(&descriptor.digest, &found, &descriptor.digest)
        .map_err(|error| ReadFailure::new(ReadCode::DigestMismatch, error.to_string()))?;
    Ok(bytes)
}

/// Opens a `docker save` archive.
fn saved(store: Store, tag: Option<&str>) -> Result<Opened, ReadFailure> {
    let name = store.place("manifest.json");
    let images: Vec<Saved> = parse(&store.read("manifest.json")?, &name)?;
    let tags = |image: &Saved| image.repo_tags.clone().unwrap_or_default();
    let known: Vec<String> = images.iter().flat_map(tags).collect();
    let mut fitting: Vec<Saved> = match tag {
        Some(tag) => images
            .into_iter()
            .filter(|image| {
                tags(image).iter().any(|it| it == tag || it.ends_with(&format!(":{tag}")))
            })
            .collect(),
        None => images,
    };
    let image = match (fitting.pop(), fitting.is_empty()) {
        (Some(image), true) => image,
        (Some(_), false) => return Err(several(&name, &known)),
        (None, _) => {
            let message = format!("{name} does not hold that image, only {}", known.join(", "));
            return Err(ReadFailure::new(ReadCode::ImageMissing, message));
        }
    };
    let config = ConfigJson::parse(&store.read(&image.config)?, &image.config)?;
    let diff_ids = config.diff_ids().to_vec();
    let mut layers = Vec::new();
    for (at, file) in image.layers.into_iter().enumerate() {
        let mut head = [0; 2];
        let length = store.open(&file)?.read(&mut head).unwrap_or(0);
        // The config has the digest of the unpacked layer; a packed one has none here.
        let packed = length == 2 && matches!(head, [0x1f, 0x8b] | [0x28, 0xb5]);
        let digest = diff_ids.get(at).filter(|_| !packed).cloned();
        let about = LayerRef { name: format!("layer {file}"), digest, size: None };
        layers.push(Layer { file, about });
    }
    let (platform, config) = config.lower();
    let files = Files::Layers(Box::new(OnDisk::new(store, layers)));
    Ok(Opened { platform, config, size: None, files })
}

/// Opens the tar of a root file system, as `docker export` writes it.
fn root_tar(path: &Path) -> Result<Opened, ReadFailure> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let file = file.unwrap_or_default();
    let about = LayerRef { name: path.display().to_string(), digest: None, size: None };
    let layers = vec![Layer { file, about }];
    let files = Files::Layers(Box::new(OnDisk::new(Store::Folder(folder), layers)));
    Ok(Opened { platform: Platform::default(), config: ImageConfig::default(), size: None, files })
}

struct Layer {
    file: String,
    about: LayerRef,
}

/// Layers that are files.
struct OnDisk {
    store: Store,
    files: Vec<String>,
    layers: Vec<LayerRef>,
}

impl OnDisk {
    fn new(store: Store, layers: Vec<Layer>) -> Self {
        let (files, layers) = layers.into_iter().map(|layer| (layer.file, layer.about)).unzip();
        Self { store, files, layers }
    }
}

impl Blobs for OnDisk {
    fn layers(&self) -> &[LayerRef] {
        &self.layers
    }

    fn open(&self, layer: &LayerRef) -> Result<Box<dyn Read + Send>, ReadFailure> {
        let at = self.layers.iter().position(|known| known.name == layer.name);
        let file = at.and_then(|at| self.files.get(at)).map_or("", String::as_str);
        self.store.open(file)
    }
}
