//! A root file system in a folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use contract::{Content, ImageConfig, Node, Platform};

use super::archive::cannot_open;
use super::{Files, Opened, Paths, Wish};
use crate::content;
use crate::failure::ReadFailure;
use crate::limits::MAX_FILE;

/// Opens a folder as an image for linux/amd64 without config.
pub(crate) fn open(path: &Path) -> Result<Opened, ReadFailure> {
    fs::read_dir(path).map_err(|error| cannot_open(path, &error))?;
    Ok(Opened {
        platform: Platform::default(),
        config: ImageConfig::default(),
        size: None,
        files: Files::Paths(Box::new(Folder { root: path.to_owned() })),
    })
}

struct Folder {
    root: PathBuf,
}

impl Paths for Folder {
    fn nodes(&mut self, paths: &[(String, Wish)]) -> Result<Vec<Node>, ReadFailure> {
        Ok(paths.iter().map(|(path, _)| node(&self.root, path)).collect())
    }

    fn children(&mut self, folder: &str) -> Result<Vec<String>, ReadFailure> {
        Ok(children(&self.root, folder))
    }

    fn not_verified(&self) -> Vec<String> {
        vec!["the folder: it has no digests".to_owned()]
    }
}

/// What stands at a path below a root. The path passes through no link.
pub(crate) fn node(root: &Path, path: &str) -> Node {
    let place = below(root, path);
    let unread = |mode, size, error: &io::Error| Node::File {
        mode,
        size,
        content: Content::Unread { why: error.to_string() },
    };
    let about = match fs::symlink_metadata(&place) {
        Ok(about) => about,
        Err(error) => {
            return match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Node::Absent,
                _ => unread(0o755, 0, &error),
            };
        }
    };
    if about.is_dir() {
        return Node::Directory;
    }
    let (mode, size) = (about.permissions().mode() & 0o7777, about.len());
    if about.is_symlink() {
        return match fs::read_link(&place) {
            Ok(target) => Node::Link { target: target.to_string_lossy().into_owned() },
            Err(error) => unread(mode, size, &error),
        };
    }
    if !about.is_file() {
        return Node::Special;
    }
    let mut bytes = Vec::new();
    match File::open(&place).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes)) {
        Err(error) => unread(mode, size, &error),
        Ok(_) if bytes.len() as u64 > MAX_FILE => Node::File {
            mode,
            size,
            content: Content::Unread { why: format!("larger than {} MiB", MAX_FILE >> 20) },
        },
        Ok(_) => Node::File { mode, size, content: content::content(path, &bytes) },
    }
}

/// The paths right below a folder of a root, when it is one.
pub(crate) fn children(root: &Path, folder: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(below(root, folder)) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut paths: Vec<String> = names.map(|name| format!("{folder}/{name}")).collect();
    paths.sort();
    paths
}

fn below(root: &Path, path: &str) -> PathBuf {
    root.join(path.trim_start_matches('/'))
}
