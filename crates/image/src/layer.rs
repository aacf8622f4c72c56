//! One layer: what it puts at the paths that are kept, and what it hides below it.

pub(crate) mod tar;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use contract::{Content, Node};

use crate::content;
use crate::limits::{MAX_FILE, MAX_KEPT, MAX_KEPT_BYTES};
use crate::wanted::Wanted;
use tar::{Entry, Kind, Tar};

/// In front of a name: nothing of this name shows through from below.
const WHITEOUT: &str = ".wh.";
/// As a name: nothing in this folder shows through from below.
const OPAQUE: &str = ".wh..wh..opq";
/// Linux follows this many links in one look-up.
const MAX_LINKS: usize = 40;

/// What was kept of a layer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// What it puts at a path.
    pub(crate) nodes: BTreeMap<String, Node>,
    /// Paths that it hides.
    pub(crate) hidden: BTreeSet<String>,
    /// Folders whose contents it hides.
    pub(crate) opaque: BTreeSet<String>,
    /// Hard links to files that were not kept: path to path.
    pub(crate) pending: BTreeMap<String, String>,
    /// Whether something usual had to be left out because there was too much of it.
    pub(crate) overfull: bool,
    /// Bytes of file data in it.
    pub(crate) unpacked: u64,
    /// Bytes of text and names that are kept.
    kept_bytes: usize,
    /// Paths kept though nobody asked for them by name.
    kept_usual: usize,
}

/// Reads a layer's tar stream and keeps what is wanted.
pub(crate) fn scan(reader: &mut dyn Read, wanted: &Wanted) -> io::Result<Layer> {
    let mut layer = Layer::default();
    let mut tar = Tar::new(reader);
    let mut buffer = Vec::new();
    let mut last_folder = String::new();
    while let Some(entry) = tar.next()? {
        layer.unpacked = layer.unpacked.saturating_add(entry.size);
        // A name that is not text is nobody's: no path that is asked for holds such bytes.
        let Ok(path) = std::str::from_utf8(&entry.path) else { continue };
        let Some(path) = normal(path) else {
            let why = format!("{path:?} leads out of the image");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        };
        let path = layer.through_links(path);
        let Some((folder, name)) = path.rsplit_once('/') else { continue };
        if folder != last_folder {
            layer.imply(folder, wanted);
            folder.clone_into(&mut last_folder);
        }
        if name == OPAQUE {
            if wanted.keeps(folder) || folder.is_empty() {
                layer.opaque.insert(folder.to_owned());
            }
        } else if let Some(hidden) = name.strip_prefix(WHITEOUT) {
            let hidden = format!("{folder}/{hidden}");
            if wanted.keeps(&hidden) {
                layer.hidden.insert(hidden);
            }
        } else if wanted.keeps(&path) {
            layer.keep(path, &entry, &mut tar, &mut buffer, wanted)?;
        }
    }
    // What stands behind the archive's end belongs to the blob: its digest covers it.
    io::copy(tar.into_inner(), &mut io::sink())?;
    Ok(layer)
}

impl Layer {
    /// Every kept path below a folder.
    pub(crate) fn children(&self, folder: &str) -> impl Iterator<Item = &String> {
        let (start, end) = (format!("{folder}/"), format!("{folder}0"));
        self.nodes.range(start..end).map(|(path, _)| path)
    }

    fn keep<R: Read>(
        &mut self,
        path: String,
        entry: &Entry,
        tar: &mut Tar<R>,
        buffer: &mut Vec<u8>,
        wanted: &Wanted,
    ) -> io::Result<()> {
        let node = match entry.kind {
            Kind::Directory => Node::Directory,
            Kind::Special => Node::Special,
            Kind::Link => Node::Link { target: lossy(&entry.link) },
            Kind::File => Node::File {
                mode: entry.mode,
                size: entry.size,
                content: file(&path, entry, tar, buffer)?,
            },
            Kind::HardLink => {
                let target = normal(&lossy(&entry.link)).unwrap_or_default();
                let target = self.through_links(target);
                match self.nodes.get(&target) {
                    // A link to what is itself still open stays open.
                    Some(node) if !self.pending.contains_key(&target) => node.clone(),
                    Some(_) | None => {
                        self.put(path.clone(), Node::Special, wanted);
                        self.pending.insert(path, target);
                        return Ok(());
                    }
                }
            }
        };
        self.put(path, node, wanted);
        Ok(())
    }

    /// Puts a node where it belongs. The last one of a path stands, and what is no folder has nothing in it.
    fn put(&mut self, path: String, node: Node, wanted: &Wanted) {
        self.pending.remove(&path);
        if node != Node::Directory {
            let below = format!("{path}/");
            let end = format!("{path}0");
            let gone: Vec<String> =
                self.nodes.range(below..end).map(|(path, _)| path.clone()).collect();
            for path in gone {
                self.nodes.remove(&path);
                self.pending.remove(&path);
            }
        }
        if !wanted.is_named(&path) {
            self.kept_usual += 1;
        }
        self.kept_bytes = self.kept_bytes.saturating_add(weight(&path, &node));
        if self.overfull || self.kept_usual > MAX_KEPT || self.kept_bytes > MAX_KEPT_BYTES {
            self.overfull = true;
            if !wanted.is_named(&path) {
                return;
            }
        }
        self.nodes.insert(path, node);
    }

    /// A file in a folder makes the folder, whether or not the layer lists it.
    fn imply(&mut self, folder: &str, wanted: &Wanted) {
        let ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
        for path in ends.filter(|&end| end > 0).map(|end| &folder[..end]) {
            if wanted.keeps(path) && !self.nodes.contains_key(path) {
                self.put(path.to_owned(), Node::Directory, wanted);
            }
        }
    }

    /// Where an entry lands when a folder on its way is a link that this layer made before.
    fn through_links(&self, path: String) -> String {
        let mut path = path;
        for _ in 0..MAX_LINKS {
            let link = path.match_indices('/').filter(|&(at, _)| at > 0).find_map(|(at, _)| {
                match self.nodes.get(&path[..at])? {
                    Node::Link { target } => Some((at, target.clone())),
                    _ => None,
                }
            });
            let Some((at, target)) = link else { return path };
            let folder = path[..at].rsplit_once('/').map_or("", |(folder, _)| folder);
            let start = if target.starts_with('/') { "" } else { folder };
            path = clamped(&format!("{start}/{target}{}", &path[at..]));
        }
        path
    }
}

fn file<R: Read>(
    path: &str,
    entry: &Entry,
    tar: &mut Tar<R>,
    buffer: &mut Vec<u8>,
) -> io::Result<Content> {
    if entry.sparse {
        return Ok(Content::Unread { why: "a file with holes".to_owned() });
    }
    if entry.size > MAX_FILE {
        return Ok(Content::Unread { why: format!("larger than {} MiB", MAX_FILE >> 20) });
    }
    tar.data(buffer)?;
    Ok(content::content(path, buffer))
}

/// How much memory a node takes, roughly.
fn weight(path: &str, node: &Node) -> usize {
    let content = match node {
        Node::Link { target } => target.len(),
        Node::File { content, .. } => match content {
            Content::Text { text } => text.len(),
            Content::LibraryCache { libraries } => {
                libraries.iter().map(|(name, paths)| 64 + name.len() + paths.len() * 64).sum()
            }
            Content::Elf(elf) => {
                1024 + 64 * (elf.needed.len() + elf.version_needs.len() + elf.version_defs.len())
            }
            Content::Script { .. } => 256,
            Content::Nothing | Content::Data | Content::Unread { .. } => 0,
        },
        Node::Absent | Node::Directory | Node::Special => 0,
    };
    128 + path.len() + content
}

/// A path of a tar entry as an absolute one; `None` when it leads out of the image.
fn normal(path: &str) -> Option<String> {
    let mut normal = String::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => normal.truncate(normal.rfind('/')?),
            part => {
                normal.push('/');
                normal.push_str(part);
            }
        }
    }
    Some(normal)
}

/// The same for a link's text, whose `..` stop at the root as they do for the kernel.
fn clamped(path: &str) -> String {
    let mut normal = String::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => normal.truncate(normal.rfind('/').unwrap_or(0)),
            part => {
                normal.push('/');
                normal.push_str(part);
            }
        }
    }
    normal
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
