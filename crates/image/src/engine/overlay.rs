//! The folders in which an overlay2 engine keeps the layers of an image.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use contract::Node;
use serde::Deserialize;

use crate::failure::ReadFailure;
use crate::source::{Paths, Wish, folder};

/// Where and how an engine keeps an image.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct GraphDriver {
    name: String,
    #[serde(default)]
    data: Option<BTreeMap<String, String>>,
}

/// The layers' folders, the top one first, when all of them can be read from here.
pub(super) fn folders(driver: &GraphDriver) -> Option<Vec<PathBuf>> {
    if driver.name != "overlay2" {
        return None;
    }
    let data = driver.data.as_ref()?;
    let lower = data.get("LowerDir").map_or("", String::as_str);
    let all = std::iter::once(data.get("UpperDir")?.as_str()).chain(lower.split(':'));
    let folders: Vec<PathBuf> = all.filter(|path| !path.is_empty()).map(PathBuf::from).collect();
    folders.iter().all(|folder| fs::read_dir(folder).is_ok()).then_some(folders)
}

/// Layers as folders, in overlayfs' own notation.
pub(super) struct Overlay {
    folders: Vec<PathBuf>,
}

impl Overlay {
    pub(super) const fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// The folders in which a path may show, the top one first.
    ///
    /// Below a folder that is opaque, or that puts something else than a folder on the way, nothing
    /// shows; and no way leads through a link, which would leave the folder.
    fn showing(&self, path: &str) -> impl Iterator<Item = &Path> {
        let mut last = false;
        self.folders.iter().map(PathBuf::as_path).map_while(move |root| {
            if last {
                return None;
            }
            for (end, _) in path.match_indices('/').filter(|&(at, _)| at > 0) {
                let place = root.join(&path[1..end]);
                match fs::symlink_metadata(&place) {
                    Ok(about) if about.is_dir() => last |= is_opaque(&place),
                    Ok(_) => return None,
                    Err(_) => break,
                }
            }
            Some(root)
        })
    }
}

impl Paths for Overlay {
    fn nodes(&mut self, paths: &[(String, Wish)]) -> Result<Vec<Node>, ReadFailure> {
        let node = |(path, _): &(String, Wish)| {
            for root in self.showing(path) {
                if is_whiteout(&root.join(path.trim_start_matches('/'))) {
                    return Node::Absent;
                }
                match folder::node(root, path) {
                    Node::Absent => {}
                    node => return node,
                }
            }
            Node::Absent
        };
        Ok(paths.iter().map(node).collect())
    }

    fn children(&mut self, folder: &str) -> Result<Vec<String>, ReadFailure> {
        let below = format!("{folder}/x");
        let mut all: Vec<String> =
            self.showing(&below).flat_map(|root| folder::children(root, folder)).collect();
        all.sort();
        all.dedup();
        Ok(all)
    }

    fn not_verified(&self) -> Vec<String> {
        vec!["the engine's own store: it was read as it is on disk".to_owned()]
    }
}

/// A device 0/0 stands for: nothing shows through from below.
fn is_whiteout(place: &Path) -> bool {
    fs::symlink_metadata(place)
        .is_ok_and(|about| about.file_type().is_char_device() && about.rdev() == 0)
}

/// A folder through whose contents nothing shows from below.
fn is_opaque(place: &Path) -> bool {
    ["trusted.overlay.opaque", "user.overlay.opaque"].into_iter().any(|name| {
        let mut value = [0_u8; 1];
        rustix::fs::lgetxattr(place, name, &mut value).is_ok_and(|_| value[0] == b'y')
    })
}
