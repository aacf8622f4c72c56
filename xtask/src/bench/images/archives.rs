//! Archives to inspect: an OCI layout of a registry's image, and a `docker save` of one that no engine holds.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::bench::folder;
use crate::bench::timer::Contestant;
use crate::command::{capture, command, quiet};
use crate::house::House;
use crate::{http, paths};

/// What a registry may answer with; ours holds what an engine pushed.
const MANIFESTS: &str = "application/vnd.docker.distribution.manifest.v2+json, \
    application/vnd.oci.image.manifest.v1+json";

/// An image of the registry on disk.
pub(crate) struct Layout {
    /// All of it in one tar file.
    pub(crate) archive: PathBuf,
    /// The bottom one first.
    pub(crate) layers: Vec<Blob>,
    /// Bytes of manifest and config.
    pub(crate) around: u64,
}

/// A layer as it is stored.
pub(crate) struct Blob {
    pub(crate) file: PathBuf,
    pub(crate) size: u64,
}

impl Layout {
    /// Fetches an image of the house's registry.
    pub(crate) fn of(house: &House, image: &str) -> Result<Self> {
        let (_, name) = image.split_once('/').context("a reference without a registry")?;
        let (repository, tag) = name.rsplit_once(':').context("a reference without a tag")?;
        let folder = folder(&format!("layout-{}", repository.replace('/', "-")))?;
        drop(fs::remove_dir_all(&folder));
        let blobs = folder.join("layout/blobs/sha256");
        fs::create_dir_all(&blobs)?;
        let port = house.registry().port();
        let manifest = format!("/v2/{repository}/manifests/{tag}");
        let bytes = http::body_from_loopback(port, &manifest, MANIFESTS)?;
        let manifest: Value = serde_json::from_slice(&bytes)?;
        let put = |descriptor: &Value| -> Result<Blob> {
            let digest = descriptor["digest"].as_str().context("a blob without a digest")?;
            let path = format!("/v2/{repository}/blobs/{digest}");
            let file = blobs.join(digest.trim_start_matches("sha256:"));
            let bytes = http::body_from_loopback(port, &path, "*/*")?;
            fs::write(&file, &bytes)?;
            Ok(Blob { file, size: bytes.len() as u64 })
        };
        let config = put(&manifest["config"])?;
        let layers = manifest["layers"].as_array().context("a manifest without layers")?;
        let layers = layers.iter().map(put).collect::<Result<Vec<_>>>()?;
        let around = config.size + bytes.len() as u64;

        let hash = folder.join("manifest.json");
        fs::write(&hash, &bytes)?;
        let sum = capture(command("sha256sum", ["--"]).arg(&hash))?;
        let hex = sum.split_whitespace().next().context("sha256sum says nothing")?;
        fs::rename(&hash, blobs.join(hex))?;
        let descriptor = json!({ "mediaType": manifest["mediaType"], "size": bytes.len(),
            "digest": format!("sha256:{hex}") });
        let index = json!({ "schemaVersion": 2, "manifests": [descriptor] });
        fs::write(folder.join("layout/index.json"), index.to_string())?;
        fs::write(folder.join("layout/oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}")?;
        let archive = folder.join("oci.tar");
        quiet(
            command("tar", ["-c", "-f"])
                .arg(&archive)
                .arg("-C")
                .arg(folder.join("layout"))
                .arg("."),
        )?;
        Ok(Self { archive, layers, around })
    }
}

/// A `docker save` archive of the Debian base whose layer no engine has: one that is there already is
/// not loaded again, and loading would be measured as nothing.
pub(crate) struct Saved {
    pub(crate) archive: PathBuf,
    name: String,
    dockerfile: PathBuf,
}

impl Saved {
    pub(crate) fn of(house: &House) -> Result<Self> {
        let folder = folder("saved")?;
        let (archive, dockerfile) = (folder.join("saved.tar"), folder.join("Dockerfile"));
        let name = format!("drydock-bench-saved:{}", std::process::id());
        let engine = house.engine();
        let id = capture(&mut engine.docker(["create", house.debian(), "/none"]))?;
        let files = folder.join("files.tar");
        let made = (|| {
            quiet(engine.docker(["export", "--output"]).arg(&files).arg(id.trim()))?;
            quiet(
                engine.docker(["import", "--change", "CMD [\"/bin/sh\"]"]).arg(&files).arg(&name),
            )?;
            quiet(engine.docker(["save", "--output"]).arg(&archive).arg(&name))
        })();
        // Removed whatever came of it: the engine is not ours alone.
        drop(quiet(&mut engine.docker(["rm", id.trim()])));
        drop(quiet(&mut engine.docker(["image", "rm", &name])));
        drop(fs::remove_file(files));
        made?;
        let probe =
            fs::read_to_string(paths::workspace().join("probe/debian-contract-v0.dockerfile"))?;
        fs::write(&dockerfile, format!("FROM {name}\nUSER root\n{probe}"))?;
        Ok(Self { archive, name, dockerfile })
    }

    /// Loads it, builds up to the probe without a cache, and removes both images. By the classic
    /// builder: BuildKit's cache would hold the layer, so that only the first round had to load it.
    pub(crate) fn load_and_build(&self, house: &House, client: &str) -> Contestant {
        let mut script = command("sh", ["-c", include_str!("load.sh")]);
        script.env("DOCKER", client).env("DOCKER_HOST", house.host()).env("DOCKER_BUILDKIT", "0");
        script.env("ARCHIVE", &self.archive).env("IMAGE", &self.name);
        script.env("DOCKERFILE", &self.dockerfile).env_remove("DOCKER_CONTEXT");
        Contestant::new("docker load, build to the probe, classic", script)
    }
}
