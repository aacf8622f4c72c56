//! Newer suites of Debian, unpacked from their packages: fetched by the machine's own apt, which checks
//! their signatures, and kept under `DRYDOCK_TEST_CACHE`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::base::{self, Item, Tree};
use crate::case::Base;

/// What a shell and the probe's commands need, and nothing else.
const CORE: [&str; 11] = [
    "base-files",
    "bash",
    "coreutils",
    "dash",
    "libacl1",
    "libattr1",
    "libc-bin",
    "libc6",
    "libpcre2-8-0",
    "libselinux1",
    "libtinfo6",
];
/// Other shells and providers of commands, with the libraries that bookworm's base lacks.
const OTHERS: [&str; 3] = ["libssl3", "mksh", "toybox"];
const SUITES: [(Base, &str, &[&str]); 3] = [
    (Base::Trixie, "trixie", &CORE),
    (Base::Sid, "sid", &CORE),
    (Base::Others, "bookworm", &OTHERS),
];
/// Since `/usr` was merged, these lead into it.
const MERGED: [&str; 4] = ["bin", "lib", "lib64", "sbin"];

/// What the suites bring; nothing where there is no apt to fetch it with.
pub(crate) fn trees() -> Result<BTreeMap<Base, Tree>, String> {
    let mut trees = BTreeMap::new();
    let Some(mirror) = mirror() else {
        eprintln!("newer suites are skipped: apt names no mirror of Debian here");
        return Ok(trees);
    };
    for (base, suite, packages) in SUITES {
        let folder = cache().join(suite);
        if fs::read_to_string(folder.join("whole")).unwrap_or_default() != packages.join(" ") {
            fetch(&folder, &mirror, suite, packages)
                .map_err(|error| format!("Debian {suite} from {mirror}: {error}"))?;
        }
        let mut tree = Tree::new();
        for package in debs(&folder)? {
            let files = run(Command::new("dpkg-deb").arg("--fsys-tarfile").arg(&package))?;
            let unpacked = base::read(files.as_slice());
            tree.extend(unpacked.map_err(|error| format!("{}: {error}", package.display()))?);
        }
        if base != Base::Others {
            complete(&mut tree);
        }
        trees.insert(base, tree);
    }
    Ok(trees)
}

/// What the packages' own scripts would have made.
fn complete(tree: &mut Tree) {
    for folder in MERGED {
        tree.entry(format!("usr/{folder}")).or_insert(Item::Folder);
        tree.insert(folder.to_owned(), Item::Link(format!("usr/{folder}")));
    }
    tree.entry("usr/bin/sh".to_owned()).or_insert_with(|| Item::Link("dash".to_owned()));
    for (file, text) in
        [("etc/passwd", "root:x:0:0:root:/root:/bin/bash\n"), ("etc/group", "root:x:0:\n")]
    {
        tree.insert(file.to_owned(), Item::File { mode: 0o644, bytes: text.into() });
    }
}

/// The mirror of Debian that this machine uses, if it does.
fn mirror() -> Option<String> {
    let mut apt = Command::new("apt-get");
    apt.args(["indextargets", "--format", "$(REPO_URI) $(COMPONENT) $(ORIGIN) $(LABEL)"]);
    let found = apt.arg("Created-By: Packages").output().ok()?;
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    Some(found.lines().find_map(|line| line.strip_suffix(" main Debian Debian"))?.to_owned())
}

/// Fetches packages with a state of apt's own, so that the machine's is left as it is.
fn fetch(folder: &Path, mirror: &str, suite: &str, packages: &[&str]) -> Result<(), String> {
    drop(fs::remove_dir_all(folder));
    let make = |name: &str| fs::create_dir_all(folder.join(name)).map_err(|e| e.to_string());
    for name in ["state/lists/partial", "cache/archives/partial", "debs"] {
        make(name)?;
    }
    let put = |name: &str, text: &str| {
        fs::write(folder.join(name), text).map_err(|error| error.to_string())
    };
    put("sources.list", &format!("deb {mirror} {suite} main\n"))?;
    put("status", "")?;
    let apt = |arguments: &[&str]| {
        let mut apt = Command::new("apt-get");
        for (option, name) in [
            ("Dir::Etc::SourceList", "sources.list"),
            ("Dir::Etc::SourceParts", "no-others"),
            ("Dir::State", "state"),
            ("Dir::State::status", "status"),
            ("Dir::Cache", "cache"),
        ] {
            apt.arg("-o").arg(format!("{option}={}", folder.join(name).display()));
        }
        apt.args(["-qq", "-o", "APT::Architecture=amd64", "-o", "Acquire::Languages=none"]);
        // Without root there is no other account to fetch with, and with it none that may write here.
        apt.args(["-o", "APT::Sandbox::User=", "-o", "Acquire::Retries=5"]);
        run(apt.args(arguments).current_dir(folder.join("debs"))).map(drop)
    };
    apt(&["update"])?;
    apt(&[&["download"], packages].concat())?;
    for name in ["state", "cache"] {
        drop(fs::remove_dir_all(folder.join(name)));
    }
    put("whole", &packages.join(" "))
}

fn debs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder.join("debs")).map_err(|error| error.to_string())?;
    let mut debs: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    debs.sort();
    Ok(debs)
}

fn cache() -> PathBuf {
    let cache = std::env::var_os("DRYDOCK_TEST_CACHE").filter(|cache| !cache.is_empty());
    cache.map_or_else(std::env::temp_dir, PathBuf::from).join("agreement")
}

fn run(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
}
