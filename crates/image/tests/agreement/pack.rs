//! Makes a case's image: once as an archive for the engine, once as an OCI layout.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::base::{self, Item, Tree};
use crate::case::{self, Base, Case, Change};
use crate::engine::Engine;
use crate::packages;

/// The bases and what is kept of them between cases.
pub(crate) struct Workshop {
    trees: BTreeMap<Base, Tree>,
    layers: BTreeMap<Base, Layer>,
    run: u32,
}

/// An image that was made.
pub(crate) struct Made {
    pub(crate) name: String,
    /// A `docker load` archive; the base's layer is there already and left out.
    pub(crate) archive: Vec<u8>,
    pub(crate) layout: TempDir,
}

#[derive(Clone)]
struct Layer {
    plain: Vec<u8>,
    diff_id: String,
}

impl Layer {
    fn new(plain: Vec<u8>) -> Self {
        let diff_id = digest(&plain);
        Self { plain, diff_id }
    }
}

impl Workshop {
    /// Takes the bases from the engine and gives them back as images of one layer.
    pub(crate) fn open(engine: &Engine) -> Result<Self, String> {
        let debian = engine.export(&engine.debian)?;
        let debian = base::read(debian.as_slice()).map_err(|error| error.to_string())?;
        let musl = engine.export(&engine.musl)?;
        let musl = base::read(musl.as_slice()).map_err(|error| error.to_string())?;
        let unmerged = base::unmerged(&debian);
        let mut trees = BTreeMap::from([
            (Base::Debian, debian),
            (Base::Unmerged, unmerged),
            (Base::Musl, musl),
            (Base::Empty, Tree::new()),
        ]);
        trees.extend(packages::trees()?);
        let mut layers = BTreeMap::new();
        for (&base, tree) in trees.iter().filter(|(base, _)| **base != Base::Others) {
            layers.insert(base, Layer::new(pack(tree)?));
        }
        let workshop = Self { trees, layers, run: std::process::id() };
        for (&base, layer) in &workshop.layers {
            let config = json!({ "os": "linux", "architecture": "amd64", "config": {},
                "rootfs": { "type": "layers", "diff_ids": [layer.diff_id] } });
            let name = workshop.name(&format!("base-{base:?}").to_lowercase());
            engine.load(&archive(&name, &config, &[(layer, true)])?)?;
        }
        Ok(workshop)
    }

    /// The names of the bases on the engine.
    pub(crate) fn bases(&self) -> Vec<String> {
        let name = |base: &Base| self.name(&format!("base-{base:?}").to_lowercase());
        self.layers.keys().map(name).collect()
    }

    /// Whether everything that a case is made from is there.
    pub(crate) fn can_make(&self, case: &Case) -> bool {
        case.bases().iter().all(|base| self.trees.contains_key(base))
    }

    fn name(&self, case: &str) -> String {
        format!("drydock-agreement-{}/{case}:1", self.run)
    }

    /// Makes an image.
    pub(crate) fn make(&self, case: &Case) -> Result<Made, String> {
        let mut layers = vec![(&self.layers[&case.base], false)];
        let mut own = Vec::new();
        for changes in &case.layers {
            own.push(Layer::new(self.changes(changes)?));
        }
        layers.extend(own.iter().map(|layer| (layer, true)));
        let diff_ids: Vec<&str> = layers.iter().map(|(layer, _)| layer.diff_id.as_str()).collect();
        let settings = if case.config.is_null() { json!({}) } else { case.config.clone() };
        let config = json!({
            "os": "linux", "architecture": case.architecture.as_deref().unwrap_or("amd64"),
            "config": settings, "rootfs": { "type": "layers", "diff_ids": diff_ids },
        });
        let name = self.name(&case.name);
        let archive = archive(&name, &config, &layers)?;
        let layout = layout(&config, &layers).map_err(|error| error.to_string())?;
        Ok(Made { name, archive, layout })
    }

    /// The tar of one layer.
    fn changes(&self, changes: &[Change]) -> Result<Vec<u8>, String> {
        let mut layer = tar::Builder::new(Vec::new());
        for change in changes {
            match change {
                Change::Delete(path) => {
                    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
                    file(&mut layer, &format!("{folder}/.wh.{name}"), 0o644, b"")?;
                }
                Change::Opaque(path) => {
                    file(&mut layer, &format!("{path}/.wh..wh..opq"), 0o644, b"")?;
                }
                Change::Folder(path) => folder(&mut layer, path)?,
                Change::Link(path, target) => {
                    link(&mut layer, path, target, tar::EntryType::Symlink)?;
                }
                Change::HardLink(path, target) => {
                    link(&mut layer, path, target.trim_start_matches('/'), tar::EntryType::Link)?;
                }
                Change::Text(path, text) => file(&mut layer, path, 0o644, text.as_bytes())?,
                Change::Script(path, text) => file(&mut layer, path, 0o755, text.as_bytes())?,
                Change::Copy(path, from) => {
                    let (mode, bytes) = self.source(from)?;
                    file(&mut layer, path, mode, &bytes)?;
                }
                Change::CopyPlain(path, from) => {
                    file(&mut layer, path, 0o644, &self.source(from)?.1)?;
                }
                Change::CopyChanged(path, from, offset, value) => {
                    let (mode, mut bytes) = self.source(from)?;
                    *bytes.get_mut(*offset).ok_or("the offset is behind the file's end")? = *value;
                    file(&mut layer, path, mode, &bytes)?;
                }
            }
        }
        layer.into_inner().map_err(|error| error.to_string())
    }

    /// A file of a base, by `base:/path`; links are followed.
    fn source(&self, from: &str) -> Result<(u32, Vec<u8>), String> {
        let (base, path) = case::source(from)?;
        let mut path = path.to_owned();
        for _ in 0..8 {
            match self.trees[&base].get(&path) {
                Some(Item::File { mode, bytes }) => return Ok((*mode, bytes.clone())),
                Some(Item::Link(target)) => {
                    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                    path = match target.strip_prefix('/') {
                        Some(target) => target.to_owned(),
                        None => format!("{folder}/{target}"),
                    };
                }
                Some(Item::Folder) | None => break,
            }
        }
        Err(format!("{from} is no file"))
    }
}

fn pack(tree: &Tree) -> Result<Vec<u8>, String> {
    let mut layer = tar::Builder::new(Vec::new());
    for (path, item) in tree {
        match item {
            Item::Folder => folder(&mut layer, path)?,
            Item::Link(target) => link(&mut layer, path, target, tar::EntryType::Symlink)?,
            Item::File { mode, bytes } => file(&mut layer, path, *mode, bytes)?,
        }
    }
    layer.into_inner().map_err(|error| error.to_string())
}

type Tar = tar::Builder<Vec<u8>>;

fn file(layer: &mut Tar, path: &str, mode: u32, bytes: &[u8]) -> Result<(), String> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(mode);
    let path = path.trim_start_matches('/');
    layer.append_data(&mut header, path, bytes).map_err(|error| format!("{path}: {error}"))
}

fn folder(layer: &mut Tar, path: &str) -> Result<(), String> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Directory);
    header.set_size(0);
    header.set_mode(0o755);
    let path = format!("{}/", path.trim_start_matches('/'));
    layer.append_data(&mut header, &path, &[][..]).map_err(|error| format!("{path}: {error}"))
}

fn link(layer: &mut Tar, path: &str, target: &str, kind: tar::EntryType) -> Result<(), String> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(0);
    header.set_mode(0o777);
    let path = path.trim_start_matches('/');
    layer.append_link(&mut header, path, target).map_err(|error| format!("{path}: {error}"))
}

/// An archive as `docker load` takes it. Layers that the engine has are named and left out.
fn archive(name: &str, config: &Value, layers: &[(&Layer, bool)]) -> Result<Vec<u8>, String> {
    let mut archive = tar::Builder::new(Vec::new());
    let names: Vec<String> = (0..layers.len()).map(|at| format!("{at}/layer.tar")).collect();
    let manifest = json!([{ "Config": "config.json", "RepoTags": [name], "Layers": names }]);
    file(&mut archive, "manifest.json", 0o644, manifest.to_string().as_bytes())?;
    file(&mut archive, "config.json", 0o644, config.to_string().as_bytes())?;
    for (name, (layer, _)) in names.iter().zip(layers).filter(|(_, (_, included))| *included) {
        file(&mut archive, name, 0o644, &layer.plain)?;
    }
    archive.into_inner().map_err(|error| error.to_string())
}

/// An OCI layout; its layers are plain, gzip and zstd in turn.
fn layout(config: &Value, layers: &[(&Layer, bool)]) -> std::io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let blobs = folder.path().join("blobs/sha256");
    fs::create_dir_all(&blobs)?;
    let config = blob(&blobs, config.to_string().as_bytes())?;
    let mut descriptors = Vec::new();
    for (at, (layer, _)) in layers.iter().enumerate() {
        let packed = match at % 3 {
            0 => layer.plain.clone(),
            1 => zstd::encode_all(layer.plain.as_slice(), 3)?,
            _ => {
                let fast = flate2::Compression::fast();
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), fast);
                packer.write_all(&layer.plain)?;
                packer.finish()?
            }
        };
        descriptors.push(blob(&blobs, &packed)?);
    }
    let manifest = json!({ "schemaVersion": 2, "config": config, "layers": descriptors });
    let manifest = blob(&blobs, manifest.to_string().as_bytes())?;
    let index = json!({ "schemaVersion": 2, "manifests": [manifest] });
    fs::write(folder.path().join("index.json"), index.to_string())?;
    fs::write(folder.path().join("oci-layout"), r#"{"imageLayoutVersion":"1.0.0"}"#)?;
    Ok(folder)
}

fn blob(folder: &Path, bytes: &[u8]) -> std::io::Result<Value> {
    let digest = digest(bytes);
    fs::write(folder.join(digest.trim_start_matches("sha256:")), bytes)?;
    Ok(json!({ "mediaType": "application/octet-stream", "digest": digest, "size": bytes.len() }))
}

fn digest(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
