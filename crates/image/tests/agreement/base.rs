//! The bases, taken from the engine's images and cut down to what matters.

use std::collections::BTreeMap;
use std::io::{self, Read};

/// One thing in a base.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Folder,
    Link(String),
    File { mode: u32, bytes: Vec<u8> },
}

/// A base: path without its leading slash to what is there. Folders sort before what is in them.
pub(crate) type Tree = BTreeMap<String, Item>;

/// Folders that no case asks for.
const LEFT_OUT: [&str; 7] = [
    "var/lib/apt",
    "var/cache",
    "usr/share",
    "var/lib/dpkg/info",
    "usr/lib/x86_64-linux-gnu/gconv",
    "usr/lib/x86_64-linux-gnu/perl-base",
    "usr/lib/apt",
];
/// What an unmerged Debian keeps out of `/usr`.
const ROOT_COMMANDS: [&str; 8] = ["sh", "dash", "bash", "mkdir", "uname", "true", "ls", "cat"];
const ROOT_LIBRARIES: [&str; 5] = ["ld-", "libc.so", "libselinux", "libpcre2", "libtinfo"];

/// Reads what `docker export` writes.
pub(crate) fn read(exported: impl Read) -> io::Result<Tree> {
    let mut tree = Tree::new();
    let mut archive = tar::Archive::new(exported);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().trim_matches(['.', '/']).to_owned();
        let is_out = |folder: &&str| path == **folder || path.starts_with(&format!("{folder}/"));
        if path.is_empty() || LEFT_OUT.iter().any(is_out) {
            continue;
        }
        let header = entry.header();
        let link = || {
            let target = entry.link_name().ok().flatten();
            target.map(|target| target.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let item = match header.entry_type() {
            tar::EntryType::Directory => Item::Folder,
            tar::EntryType::Symlink => Item::Link(link()),
            tar::EntryType::Link => match tree.get(link().trim_matches(['.', '/'])) {
                Some(item) => item.clone(),
                None => continue,
            },
            tar::EntryType::Regular => {
                let mode = header.mode()?;
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes)?;
                Item::File { mode, bytes }
            }
            _ => continue,
        };
        tree.insert(path, item);
    }
    Ok(tree)
}

/// The same files as before `/usr` was merged.
pub(crate) fn unmerged(debian: &Tree) -> Tree {
    let moved = |path: &str| -> String {
        if let Some(name) = path.strip_prefix("usr/bin/")
            && ROOT_COMMANDS.contains(&name)
        {
            return format!("bin/{name}");
        }
        if let Some(name) = path.strip_prefix("usr/lib/x86_64-linux-gnu/")
            && ROOT_LIBRARIES.iter().any(|library| name.starts_with(library))
        {
            return format!("lib/x86_64-linux-gnu/{name}");
        }
        path.to_owned()
    };
    let mut tree: Tree = debian
        .iter()
        .filter(|(path, _)| !matches!(path.as_str(), "bin" | "sbin" | "lib" | "lib64"))
        .filter(|(path, _)| !path.starts_with("usr/lib64"))
        .map(|(path, item)| (moved(path), item.clone()))
        .collect();
    for folder in ["bin", "sbin", "lib", "lib64", "lib/x86_64-linux-gnu"] {
        tree.insert(folder.to_owned(), Item::Folder);
    }
    let loader = Item::Link("/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2".to_owned());
    tree.insert("lib64/ld-linux-x86-64.so.2".to_owned(), loader);
    tree
}
