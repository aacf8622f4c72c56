//! The bases of `fixtures/bases/`: one folder each, with the Dockerfile that makes it of one of the two main bases.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::bases::{Bases, once};
use crate::command::quiet;
use crate::engine::Engine;
use crate::paths;
use crate::registry::Registry;

/// Makes sure that the registry serves each of them as `drydock-fixture/<folder>:1`.
pub(crate) fn serve(
    engine: &Engine,
    registry: &Registry,
    bases: &Bases,
    stamp: &str,
) -> Result<()> {
    let folder = paths::workspace().join("fixtures/bases");
    let mut made = 0;
    for base in
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let base = base?.path();
        let key = base.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let dockerfile = base.join("Dockerfile");
        let text = fs::read_to_string(&dockerfile)
            .with_context(|| format!("{} is missing", dockerfile.display()))?;
        let name = format!("{}/drydock-fixture/{key}:1", registry.address());
        once(&key, &format!("{stamp}\n{}", contents(&base)?), || {
            build(engine, &base, &text, &name, bases)
        })?;
        made += 1;
    }
    ensure!(made > 0, "{} holds no base", folder.display());
    Ok(())
}

/// Everything that the base is made of.
fn contents(folder: &Path) -> Result<String> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    let mut all = String::new();
    for path in entries.iter().map(fs::DirEntry::path) {
        let text = if path.is_dir() { contents(&path)? } else { fs::read_to_string(&path)? };
        all += &format!("{}\n{text}\n", path.display());
    }
    Ok(all)
}

fn build(engine: &Engine, folder: &Path, text: &str, name: &str, bases: &Bases) -> Result<()> {
    let mut docker = engine.docker(["build", "--quiet", "--tag", name]);
    docker.arg("--build-arg").arg(format!("DEBIAN={}", bases.debian));
    docker.arg("--build-arg").arg(format!("MUSL={}", bases.musl));
    if let Some(platform) = text.lines().find_map(|line| line.strip_prefix("# platform: ")) {
        docker.args(["--platform", platform]);
    }
    quiet(docker.arg(folder))?;
    quiet(&mut engine.docker(["push", "--quiet", name]))?;
    // The engine shall hold what a user's holds before the first check: not these.
    quiet(&mut engine.docker(["image", "rm", name]))
}
