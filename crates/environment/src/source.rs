//! The one door through which definition files come in.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A path inside the repository: relative, `/` between parts, no `.`, no `..`, never empty.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RepoPath(Arc<str>);

impl RepoPath {
    /// Takes a path that is already in its normal form.
    ///
    /// # Errors
    /// Gives the text back when it is empty, absolute, or holds an empty, `.` or `..` part.
    pub fn new(path: &str) -> Result<Self, String> {
        let odd = |part: &str| matches!(part, "" | "." | "..");
        if path.split('/').any(odd) {
            return Err(format!("not a path inside the repository: {path:?}"));
        }
        Ok(Self(path.into()))
    }

    /// The path that `relative` means when it is written in this file; `None` when it leaves the repository.
    #[must_use]
    pub fn resolve(&self, relative: &str) -> Option<Self> {
        if relative.starts_with('/') {
            return None;
        }
        let mut parts: Vec<&str> = self.0.split('/').collect();
        parts.pop();
        for part in relative.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        Self::new(&parts.join("/")).ok()
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RepoPath {
    type Error = String;
    fn try_from(path: String) -> Result<Self, String> {
        Self::new(&path)
    }
}

impl From<RepoPath> for String {
    fn from(path: RepoPath) -> Self {
        path.0.as_ref().to_owned()
    }
}

/// Definition files, wherever they are kept: a commit, a working tree, a map in a test.
pub trait Source {
    /// The bytes of one file. Reads no more than `limit` bytes.
    ///
    /// # Errors
    /// Says why the file cannot be had.
    fn read(&self, path: &RepoPath, limit: u64) -> Result<Arc<[u8]>, SourceError>;

    /// All files at any depth below `folder`, sorted. A folder that does not exist is empty.
    ///
    /// # Errors
    /// Says why the folder cannot be listed.
    fn list(&self, folder: &RepoPath) -> Result<Vec<RepoPath>, SourceError>;
}

/// Why a definition file cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceError {
    /// Nothing is there.
    NotFound,
    /// Something is there that is not a file: a folder, a device, a submodule.
    NotAFile,
    /// A link on the way points out of the repository.
    LeavesRepository,
    /// The file is larger than the limit (in bytes).
    TooLarge(u64),
    /// The system's own words.
    Io(String),
}

/// A source for tests: paths and their texts.
#[derive(Clone, Debug, Default)]
pub struct MapSource(pub BTreeMap<RepoPath, Arc<[u8]>>);

impl Source for MapSource {
    fn read(&self, path: &RepoPath, limit: u64) -> Result<Arc<[u8]>, SourceError> {
        let bytes = self.0.get(path).ok_or(SourceError::NotFound)?;
        if bytes.len() as u64 > limit {
            return Err(SourceError::TooLarge(limit));
        }
        Ok(Arc::clone(bytes))
    }

    fn list(&self, folder: &RepoPath) -> Result<Vec<RepoPath>, SourceError> {
        let inside = |path: &&RepoPath| {
            path.as_str().strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        Ok(self.0.keys().filter(inside).cloned().collect())
    }
}
