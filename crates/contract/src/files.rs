//! Looks paths up in an image's facts as a kernel whose root is the image would.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::{Content, ImageFacts, Node};

/// Linux follows this many links in one look-up, then says `ELOOP`.
const MAX_LINKS: u32 = 40;
/// Linux takes paths up to this many bytes, the closing NUL among them.
const PATH_MAX: usize = 4096;
/// What a container has there comes from its engine and not from its image.
const FROM_THE_ENGINE: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The files of an image, and a note of each path that was asked for and had not been read.
pub(crate) struct Files<'a> {
    facts: &'a ImageFacts,
    unread: RefCell<BTreeSet<String>>,
}

/// Why a look-up ends nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// `ENOENT` or `ENOTDIR`: this part of the path is not there.
    Missing(String),
    /// `ELOOP`, or a path too long to be one.
    Loop(String),
    /// The path leads to what the engine mounts there.
    Outside(String),
    /// The path had not been read.
    Unread(String),
}

impl Trouble {
    /// In words.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Missing(path) => format!("{path} is not there"),
            Self::Loop(path) => format!("{path} leads through too many links"),
            Self::Outside(path) => format!("{path} is the engine's, not the image's"),
            Self::Unread(path) => format!("{path} was not read"),
        }
    }

    /// Whether the files do not say (as against: they say that it is not there).
    pub(crate) const fn is_unknown(&self) -> bool {
        matches!(self, Self::Outside(_) | Self::Unread(_))
    }
}

/// Text of a file, or why there is none.
pub(crate) enum Words<'a> {
    /// The text.
    Text(&'a str),
    /// There is no such file.
    Missing(String),
    /// There is something, but nothing that can be read as a file.
    NotAFile,
    /// The files do not say.
    Unknown(String),
}

impl<'a> Files<'a> {
    pub(crate) const fn new(facts: &'a ImageFacts) -> Self {
        Self { facts, unread: RefCell::new(BTreeSet::new()) }
    }

    /// Every path that was asked for in vain.
    pub(crate) fn into_unread(self) -> Vec<String> {
        self.unread.into_inner().into_iter().collect()
    }

    /// Follows a path to its end: the path without links, and what stands there.
    pub(crate) fn find(&self, path: &str) -> Result<(String, &'a Node), Trouble> {
        let mut todo: Vec<String> = segments(path);
        let mut at = String::new();
        let mut links = 0;
        let mut node = &Node::Directory;
        while let Some(name) = todo.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    at.truncate(at.rfind('/').unwrap_or(0));
                    node = &Node::Directory;
                    continue;
                }
                _ => {}
            }
            let next = format!("{at}/{name}");
            if next.len() >= PATH_MAX {
                return Err(Trouble::Loop(path.to_owned()));
            }
            if FROM_THE_ENGINE.contains(&next.as_str()) {
                return Err(Trouble::Outside(path.to_owned()));
            }
            node = self.node(&next)?;
            match node {
                Node::Absent => return Err(Trouble::Missing(next)),
                Node::Link { target } => {
                    links += 1;
                    if links > MAX_LINKS || target.len() >= PATH_MAX {
                        return Err(Trouble::Loop(path.to_owned()));
                    }
                    if target.is_empty() {
                        return Err(Trouble::Missing(next));
                    }
                    if target.starts_with('/') {
                        at.clear();
                    }
                    todo.extend(segments(target));
                    node = &Node::Directory;
                }
                Node::Directory => at = next,
                Node::File { .. } | Node::Special if todo.is_empty() => at = next,
                Node::File { .. } | Node::Special => return Err(Trouble::Missing(next)),
            }
        }
        Ok((if at.is_empty() { "/".to_owned() } else { at }, node))
    }

    /// Whether `[ -e path ]` says yes.
    pub(crate) fn exists(&self, path: &str) -> Result<bool, Trouble> {
        match self.find(path) {
            Ok(_) => Ok(true),
            Err(Trouble::Missing(_) | Trouble::Loop(_)) => Ok(false),
            Err(unknown) => Err(unknown),
        }
    }

    /// The text of a file.
    pub(crate) fn words(&self, path: &str) -> Words<'a> {
        match self.find(path) {
            Ok((_, Node::File { content, .. })) => match content {
                Content::Text { text } => Words::Text(text),
                Content::Nothing => Words::Text(""),
                Content::Unread { why } => Words::Unknown(format!("{path}: {why}")),
                Content::Elf(_)
                | Content::Script { .. }
                | Content::LibraryCache { .. }
                | Content::Data => Words::NotAFile,
            },
            Ok(_) => Words::NotAFile,
            Err(trouble) if trouble.is_unknown() => Words::Unknown(trouble.reason()),
            Err(trouble) => Words::Missing(trouble.reason()),
        }
    }

    /// The known paths that begin with `folder/`.
    pub(crate) fn below(&self, folder: &str) -> Vec<String> {
        let known = self.facts.files.range(folder.to_owned()..);
        known.map(|(path, _)| path.clone()).take_while(|path| path.starts_with(folder)).collect()
    }

    fn node(&self, path: &str) -> Result<&'a Node, Trouble> {
        self.facts.files.get(path).ok_or_else(|| {
            self.unread.borrow_mut().insert(path.to_owned());
            Trouble::Unread(path.to_owned())
        })
    }
}

/// A path's parts, the last one first.
fn segments(path: &str) -> Vec<String> {
    path.split('/').rev().map(str::to_owned).collect()
}
