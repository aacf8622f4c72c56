//! What lands in the checkout is what a clone of the commit holds, byte for byte and mode for mode.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use planner::InstructionKind as Kind;
use runner::Verdict;

use super::support::{BOTH, docker, engine, live, plan, request, run, with_checkout};

/// What a builder or git could change on the way, each name with its contents.
const FILES: &[(&[u8], &[u8])] = &[
    (b".dockerignore", b"*\n!README\n**/secret\n"),
    (b"Dockerfile", b"FROM scratch\nRUN not ours\n"),
    (b"Dockerfile.dockerignore", b"*\n"),
    (b"sub/Dockerfile", b"FROM scratch\n"),
    (b".containerignore", b"*\n"),
    (
        b".gitattributes",
        b"ignored export-ignore\nfolder export-ignore\nsubst.txt export-subst\n\
          *.crlf text eol=crlf\n*.auto text=auto\nident.txt ident\n*.lfs filter=lfs -text\n\
          utf16.txt text working-tree-encoding=UTF-16LE\n",
    ),
    (b"ignored", b"still here\n"),
    (b"folder/inside", b"still here\n"),
    (b"subst.txt", b"$Format:%H$\n"),
    (b"windows.crlf", b"a\nb\n"),
    (b"some.auto", b"a\nb\n"),
    (b"ident.txt", b"$Id$\n"),
    (b"big.lfs", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
    (b"empty", b""),
    (b"secret", b"not ignored\n"),
    (b"with space", b"1\n"),
    (b"new\nline", b"2\n"),
    (b"quote'\"double", b"3\n"),
    (b"back\\slash", b"4\n"),
    (b"-rf", b"5\n"),
    (b"tab\there", b"6\n"),
    (b"$HOME `x` ${y}", b"7\n"),
    (b"latin-\xe9-\xff", b"8\n"),
    ("ünïcödé-漢字".as_bytes(), b"9\n"),
    (b"glob*[a]?", b"10\n"),
    (b".hidden/.git-keep", b""),
    (b"...", b"dots\n"),
    (b"binary", b"\x00\x01\xff\r\n\x00"),
];

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is there");
    assert!(status.status.success(), "{arguments:?}: {status:?}");
}

fn repository(folder: &Path) {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    git(folder, &["init", "-q", "-b", "main"]);
    let write = |name: &[u8], contents: &[u8]| {
        let path = folder.join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        std::fs::write(path, contents).expect("a file");
    };
    for (name, contents) in FILES {
        write(name, contents);
    }
    let deep = ["d".repeat(120), "e".repeat(120), "f".repeat(120), "g".repeat(100)].join("/");
    write(deep.as_bytes(), b"deep\n");
    write(b"run.sh", b"#!/bin/sh\n");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.join("run.sh"), mode).expect("a mode");
    for (name, target) in [
        ("link", "empty"),
        ("dangling", "nowhere"),
        ("absolute", "/etc/passwd"),
        ("up", "../outside"),
        ("to-folder", "folder"),
        ("sub/back", "../README"),
    ] {
        symlink(target, folder.join(name)).expect("a link");
    }
    symlink("x".repeat(200), folder.join("long-target")).expect("a link");
    // A filter that the clone's owner never configured, as with LFS: no smudging.
    git(folder, &["-c", "filter.lfs.clean=cat", "-c", "filter.lfs.required=false", "add", "-A"]);
    git(folder, &["commit", "-q", "-m", "all"]);
    // Untracked, ignored and modified files belong to no commit.
    write(b"untracked", b"no\n");
    write(b"empty", b"modified\n");
    // Settings of the repository that a clone does not get.
    git(folder, &["config", "core.autocrlf", "true"]);
    git(folder, &["config", "filter.lfs.smudge", "echo smudged"]);
    git(folder, &["config", "tar.umask", "0077"]);
    write(b".git/info/attributes", b"* export-ignore\n");
}

/// Path → what it is, its mode and its contents, for everything below a folder.
fn tree(root: &Path) -> BTreeMap<Vec<u8>, String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let (path, kind) = (entry.path(), entry.file_type().expect("a type"));
            let name = path.strip_prefix(root).expect("below").as_os_str().as_bytes().to_vec();
            if name == b".git" {
                continue;
            }
            let mode = path.symlink_metadata().expect("a mode").permissions().mode() & 0o7777;
            let text = if kind.is_symlink() {
                format!("link {:?}", std::fs::read_link(&path).expect("a target"))
            } else if kind.is_dir() {
                folders.push(path);
                format!("folder {mode:o}")
            } else {
                format!("file {mode:o} {:?}", std::fs::read(&path).expect("contents"))
            };
            found.insert(name, text);
        }
    }
    found
}

/// Docker's own unpacking refuses links that leave the folder, so tar does it.
fn unpack(host: &str, container: &str, out: &Path) {
    let mut copy = Command::new("docker")
        .args(["--host", host, "cp", &format!("{container}:/work/."), "-"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("docker's client is there");
    let stream = copy.stdout.take().expect("piped");
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(out).args(["-xp", "--no-same-owner"]);
    assert!(tar.stdin(stream).status().expect("tar is there").success());
    assert!(copy.wait().expect("it ends").success());
}

#[tokio::test]
async fn the_checkout_is_what_a_clone_holds() {
    let Some((host, base)) = live() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("so:urce \"q\"");
    std::fs::create_dir(&source).expect("a folder");
    repository(&source);
    let clone = folder.path().join("clone");
    let from = source.to_str().expect("UTF-8");
    git(folder.path(), &["clone", "-q", from, clone.to_str().expect("UTF-8")]);
    let expected = tree(&clone);
    assert!(expected.len() > FILES.len());
    for builder in BOTH {
        let engine = engine(&host, builder).await;
        let copy = [(Kind::Bootstrap, READY), (Kind::Checkout, "COPY checkout/ /work")];
        let mut request = with_checkout(request(plan(&base, &copy)), &source);
        request.keep = true;
        let (outcome, _) = run(&engine, &request).await;
        assert_eq!(outcome.verdict, Verdict::Passed, "{builder:?} {:#?}", outcome.failure);
        let image = outcome.image.expect("the image was kept");
        let out = folder.path().join(format!("{builder:?}"));
        std::fs::create_dir(&out).expect("a folder");
        let container = docker(&engine, &["create", &image]).trim().to_owned();
        unpack(&engine.describe().host, &container, &out);
        docker(&engine, &["rm", "-f", &container]);
        docker(&engine, &["rmi", &image]);
        let found = tree(&out);
        for (name, text) in &expected {
            let shown = String::from_utf8_lossy(name);
            assert_eq!(found.get(name), Some(text), "{builder:?} {shown:?}");
        }
        let more: Vec<_> = found.keys().filter(|name| !expected.contains_key(*name)).collect();
        assert!(more.is_empty(), "{builder:?} {more:?}");
    }
}

/// git, which our own smoke checks ask for, and a group of the session's name.
const READY: &str = "RUN (command -v git || (apt-get update && \
     apt-get install -y --no-install-recommends git)) && (groupadd nobody || true)";
