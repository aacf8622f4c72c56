//! The test bases: the two of the published page, and those that `fixtures/bases/` makes of them.

mod debian;
mod derived;
pub(crate) mod host;
mod musl;

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::command::{quiet, run, succeeds};
use crate::engine::Engine;
use crate::registry::{self, Registry};
use crate::root::Root;

/// Definitions in `fixtures/` name these; no engine but a throw-away one ever carries a stand-in under these names.
const DEBIAN: &str = "debian:bookworm";
const MUSL: &str = "alpine:3.23";

/// Part of every base's stamp: raise it when the code that makes the bases changes what it makes.
const RECIPE: &str = "1";

/// The two bases, as references that the test engine can pull.
pub(crate) struct Bases {
    /// Glibc, and a working apt-get.
    pub(crate) debian: String,
    /// musl.
    pub(crate) musl: String,
    /// `official` or `built`.
    pub(crate) origin: String,
}

impl Bases {
    /// The bases' names in `registry`.
    pub(crate) fn named(registry: &Registry, origin: &str) -> Self {
        let name = |name| format!("{}/{name}", registry.address());
        Self { debian: name(DEBIAN), musl: name(MUSL), origin: origin.to_owned() }
    }

    /// What their making depends on.
    fn stamp(&self) -> String {
        format!("{RECIPE} {}", self.origin)
    }
}

/// Makes sure that the registry serves the two main bases, and that the engine holds them.
pub(crate) fn serve(root: Option<Root>, engine: &Engine, registry: &Registry) -> Result<Bases> {
    let origin = match registry::stamp("origin") {
        Some(origin) => origin,
        None if engine.can_pull(DEBIAN) && engine.can_pull(MUSL) => "official".to_owned(),
        None => "built".to_owned(),
    };
    let bases = Bases::named(registry, &origin);
    let stamp = bases.stamp();
    once("debian", &stamp, || match (origin.as_str(), root) {
        ("official", _) => take(engine, DEBIAN, &bases.debian),
        (_, Some(root)) => debian::build(root, engine, &bases.debian),
        (_, None) => bail!("no registry serves {DEBIAN}, and building a Debian base needs root"),
    })?;
    once("musl", &stamp, || match (origin.as_str(), root) {
        ("official", _) => take(engine, MUSL, &bases.musl),
        (_, root) => musl::build(root, engine, &bases.musl),
    })?;
    registry::write_stamp("origin", &origin)?;
    for base in [&bases.debian, &bases.musl] {
        quiet(&mut engine.docker(["pull", "--quiet", base]))?;
    }
    Ok(bases)
}

/// Makes sure that the registry serves the bases of the fixtures, too.
pub(crate) fn serve_derived(engine: &Engine, registry: &Registry, bases: &Bases) -> Result<()> {
    derived::serve(engine, registry, bases, &bases.stamp())
}

/// Removes our names from an engine that is not ours.
pub(crate) fn forget(engine: &Engine, registry: &Registry) {
    let pattern = format!("reference={}/*/*", registry.address());
    for pattern in [format!("reference={}/*", registry.address()), pattern] {
        let list = engine
            .docker(["image", "ls", "--format={{.Repository}}:{{.Tag}}", "--filter", &pattern])
            .output();
        let names = list.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        for name in names.unwrap_or_default().lines() {
            succeeds(&mut engine.docker(["image", "rm", name]));
        }
    }
}

/// Does `make` unless the registry's blobs already hold what it makes under this stamp.
fn once(key: &str, stamp: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
    if registry::stamp(key).as_deref() == Some(stamp) {
        return Ok(());
    }
    eprintln!("xtask: making the base `{key}`");
    make()?;
    registry::write_stamp(key, stamp)
}

fn take(engine: &Engine, official: &str, name: &str) -> Result<()> {
    run(&mut engine.docker(["pull", "--quiet", "--platform=linux/amd64", official]))?;
    quiet(&mut engine.docker(["tag", official, name]))?;
    quiet(&mut engine.docker(["push", "--quiet", name]))
}

/// Makes an image of a folder, as root of the image, and pushes it.
fn import(root: Option<Root>, engine: &Engine, folder: &Path, name: &str) -> Result<()> {
    let tar = ["-c", "--owner=0", "--group=0", "--numeric-owner", "--one-file-system", "-C"];
    let mut tar = match root {
        // Debian's files belong to several accounts, and some can be read by root alone.
        Some(root) => root.command("tar", ["-c", "--numeric-owner", "--one-file-system", "-C"]),
        None => crate::command::command("tar", tar),
    };
    let mut tar = tar.arg(folder).arg(".").stdout(std::process::Stdio::piped()).spawn()?;
    let Some(stream) = tar.stdout.take() else { bail!("tar has no output") };
    let path = "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    let mut import =
        engine.docker(["import", "--change", path, "--change", "CMD [\"/bin/sh\"]", "-", name]);
    quiet(import.stdin(stream))?;
    if !tar.wait()?.success() {
        bail!("tar could not read {}", folder.display());
    }
    quiet(&mut engine.docker(["push", "--quiet", name]))
}

/// Writes a file of a base that is being made, and the folders above it.
pub(crate) fn put(folder: &Path, file: &str, text: &[u8]) -> Result<()> {
    let file = folder.join(file);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    Ok(fs::write(file, text)?)
}
