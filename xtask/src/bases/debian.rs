//! A Debian base from Debian's packages.

use std::fs;
use std::process::Stdio;

use anyhow::{Context, Result};

use crate::bases::{host, import};
use crate::command::{quiet, run};
use crate::engine::Engine;
use crate::paths;
use crate::root::Root;

/// Builds the base, about half a minute's work, and pushes it as `name`.
pub(crate) fn build(root: Root, engine: &Engine, name: &str) -> Result<()> {
    let folder = paths::cache().join("debian-base");
    let clear = || quiet(root.command("rm", ["-rf"]).arg(&folder));
    clear()?;
    let mirror = host::debian_mirror(root)?;
    let mut debootstrap =
        root.command("debootstrap", ["--variant=minbase", "--merged-usr", "bookworm"]);
    debootstrap.arg(&folder).arg(&mirror).stdout(Stdio::null());
    run(&mut debootstrap)
        .context("a Debian base could not be built from the packages of this machine's mirror")?;

    // Behind a proxy that signs anew, or at a private mirror, the base works where the host does.
    let additions = paths::cache().join("debian-base-additions");
    for (file, text) in host::additions()? {
        super::put(&additions, file, &text)?;
    }
    quiet(
        root.command("cp", ["-r", "--no-preserve=ownership"]).arg(additions.join(".")).arg(&folder),
    )?;
    quiet(root.command("sh", ["-c", "rm -rf \"$0\"/var/cache/apt/archives/*.deb"]).arg(&folder))?;
    import(Some(root), engine, &folder, name)?;
    fs::remove_dir_all(&additions)?;
    clear()
}
