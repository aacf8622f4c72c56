//! What a commit holds that an archive of it cannot carry, found before the build.

mod objects;
mod tree;

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ContextError;
use super::git::Objects;
use objects::{contents, sizes};
use tree::{Entry, Kind};

/// What a commit holds that matters before it is built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    /// The commit's full object id.
    pub commit: String,
    /// How many files and links.
    pub files: u64,
    /// Submodules: the checkout has an empty folder where each stands.
    pub submodules: Listed,
    /// Files that are Git LFS pointers: the checkout has the pointer, not the contents.
    pub lfs_pointers: Listed,
    /// Files and folders whose names begin with `.wh.`: image layers take them for deletions.
    pub whiteouts: Listed,
    /// Links whose target is absolute or leaves the repository.
    pub outside_links: Listed,
    /// Lines of `.gitattributes` that say `export-ignore` or `export-subst`, each with its file in
    /// front: a plain `git archive` would drop or change what they match; a clone keeps it, and so
    /// does Drydock's checkout.
    pub export_attributes: Listed,
}

/// Paths, the first of them by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// How many there are.
    pub count: u64,
    /// The first few, lossy UTF-8, in the order of the tree.
    pub first: Vec<String>,
}

impl Listed {
    /// How many paths are kept by name.
    pub const KEPT: usize = 20;

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn add(&mut self, path: impl Into<String>) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(path.into());
        }
    }
}

/// A pointer file of Git LFS is smaller than this, says its specification.
const POINTER_BELOW: u64 = 1024;
/// What every pointer begins with.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// A longer `.gitattributes` is not read; git's own limit is 100 MiB.
const ATTRIBUTES_BELOW: u64 = 1 << 20;
/// No system takes a longer link.
const LINK_BELOW: u64 = 4096 + 1;

/// Looks at a commit. Reads git's objects only, never the working tree.
///
/// # Errors
/// When git or the commit cannot be read.
pub async fn survey(repository: &Path, commit: &str) -> Result<Survey, ContextError> {
    let objects = Objects::open(repository, commit).await?;
    let mut found = Survey { commit: objects.commit.clone(), ..Survey::default() };
    let (mut links, mut attributes, mut blobs) = (Vec::new(), Vec::new(), Vec::new());
    tree::walk(&objects, |entry| {
        let name = entry.path.rsplit('/').next().unwrap_or(&entry.path);
        if name.starts_with(".wh.") {
            found.whiteouts.add(entry.path.clone());
        }
        match entry.kind {
            Kind::Folder => {}
            Kind::Submodule => found.submodules.add(entry.path),
            Kind::Link => {
                found.files += 1;
                links.push(entry);
            }
            Kind::File => {
                found.files += 1;
                if name == ".gitattributes" {
                    attributes.push(entry.clone());
                }
                blobs.push(entry);
            }
        }
    })
    .await?;
    let mut lfs = false;
    for (entry, text) in small(&objects, attributes, ATTRIBUTES_BELOW).await? {
        let text = String::from_utf8_lossy(&text);
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            lfs |= line.contains("filter=lfs");
            // `-export-ignore` takes the mark away.
            let exports = ["export-ignore", "export-subst"];
            if line.split_whitespace().skip(1).any(|word| exports.contains(&word)) {
                found.export_attributes.add(format!("{}: {}", entry.path, line.trim()));
            }
        }
    }
    for (entry, target) in small(&objects, links, LINK_BELOW).await? {
        if leaves(&entry.path, &String::from_utf8_lossy(&target)) {
            found.outside_links.add(entry.path);
        }
    }
    // Without the attribute git-lfs leaves a pointer alone in a clone, too.
    if lfs {
        for (entry, text) in small(&objects, blobs, POINTER_BELOW).await? {
            if text.starts_with(POINTER) {
                found.lfs_pointers.add(entry.path);
            }
        }
    }
    Ok(found)
}

/// The contents of those entries that are shorter than `below`.
async fn small(
    objects: &Objects,
    entries: Vec<Entry>,
    below: u64,
) -> Result<Vec<(Entry, Vec<u8>)>, ContextError> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let sizes = sizes(objects, &entries).await?;
    let short: Vec<Entry> =
        entries.into_iter().zip(sizes).filter(|(_, n)| *n < below).map(|(e, _)| e).collect();
    let texts = contents(objects, &short).await?;
    Ok(short.into_iter().zip(texts).collect())
}

/// Whether a link at `path` points out of the repository.
fn leaves(path: &str, target: &str) -> bool {
    if target.starts_with('/') {
        return true;
    }
    let mut depth = path.matches('/').count();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn a_link_leaves_when_it_climbs_above_the_root() {
        for (path, target, expected) in [
            ("a", "/etc/passwd", true),
            ("a", "b", false),
            ("a", "../b", true),
            ("d/a", "../b", false),
            ("d/a", "../../b", true),
            ("d/a", "x/../../../b", true),
            ("d/a", ".//./x", false),
        ] {
            assert_eq!(leaves(path, target), expected, "{path} -> {target}");
        }
    }
}
