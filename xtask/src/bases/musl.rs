//! A musl base from Debian's packages that fails the contract as `alpine:3.23` does: busybox, the musl loader, no apt.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{Context, Result};

use crate::bases::{host, import, put};
use crate::command::{capture, command, quiet};
use crate::engine::Engine;
use crate::root::Root;
use crate::{packages, paths};

const PACKAGES: [&str; 2] = ["busybox-static", "musl"];

/// Builds the base and pushes it as `name`.
pub(crate) fn build(root: Option<Root>, engine: &Engine, name: &str) -> Result<()> {
    let folder = paths::cache().join("musl-base");
    drop(fs::remove_dir_all(&folder));
    let (packages, image) = (folder.join("packages"), folder.join("image"));
    fs::create_dir_all(&packages)?;
    if let Some(root) = root {
        for package in PACKAGES {
            packages::update_lists_for(root, package)?;
        }
    }
    // Unpacked here and not installed: `busybox-static` would replace the `busybox` of this machine.
    quiet(command("apt-get", ["download", "-qq"]).args(PACKAGES).current_dir(&packages))?;
    for package in fs::read_dir(&packages)? {
        quiet(command("dpkg-deb", ["-x"]).arg(package?.path()).arg(&image))?;
    }
    drop(fs::remove_dir_all(image.join("usr/share")));
    furnish(&image)?;
    import(None, engine, &image, name)?;
    Ok(fs::remove_dir_all(&folder)?)
}

fn furnish(image: &Path) -> Result<()> {
    let busybox =
        ["bin/busybox", "usr/bin/busybox"].into_iter().find(|file| image.join(file).is_file());
    let busybox = busybox.context("the package busybox-static brings no busybox")?;
    let applets =
        capture(&mut command(&image.join(busybox).display().to_string(), ["--list-full"]))?;
    for applet in applets.lines().filter(|applet| *applet != busybox) {
        let link = image.join(applet);
        fs::create_dir_all(link.parent().unwrap_or(image))?;
        if !link.exists() {
            symlink(format!("/{busybox}"), link)?;
        }
    }
    // Without both of these BuildKit fails at `USER root`, before the probe: see `fixtures/bases/musl-no-group`.
    put(
        image,
        "etc/passwd",
        b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n",
    )?;
    put(image, "etc/group", b"root:x:0:root\nnobody:x:65534:\n")?;
    put(image, "etc/os-release", b"NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.23.0\n")?;
    for folder in ["root", "home", "proc", "sys", "dev", "run", "var/tmp", "opt"] {
        fs::create_dir_all(image.join(folder))?;
    }
    let tmp = image.join("tmp");
    fs::create_dir_all(&tmp)?;
    quiet(command("chmod", ["1777"]).arg(&tmp))?;
    for (file, text) in host::additions()?.iter().filter(|(file, _)| !file.contains("apt")) {
        put(image, file, text)?;
    }
    Ok(())
}
