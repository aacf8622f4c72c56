//! Definitions as they lie in the working tree.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use environment::{RepoPath, Source, SourceError};

/// A folder on disk, from its root down. Links are followed only inside it.
pub(crate) struct WorkingTree {
    root: PathBuf,
}

impl WorkingTree {
    /// Opens the tree at `root`.
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        Ok(Self { root: root.canonicalize()? })
    }

    /// The real path behind `path`, if it stays inside the root.
    fn real(&self, path: &RepoPath) -> Result<PathBuf, SourceError> {
        let real = self.root.join(path.as_str()).canonicalize().map_err(|error| reason(&error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(SourceError::LeavesRepository) }
    }
}

impl Source for WorkingTree {
    fn read(&self, path: &RepoPath, limit: u64) -> Result<Arc<[u8]>, SourceError> {
        let real = self.real(path)?;
        // A named pipe would block for ever when opened, so the kind is asked first.
        if !fs::metadata(&real).map_err(|error| reason(&error))?.is_file() {
            return Err(SourceError::NotAFile);
        }
        let file = fs::File::open(&real).map_err(|error| reason(&error))?;
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
        if bytes.len() as u64 > limit {
            return Err(SourceError::TooLarge(limit));
        }
        Ok(bytes.into())
    }

    fn list(&self, folder: &RepoPath) -> Result<Vec<RepoPath>, SourceError> {
        let mut found = Vec::new();
        match self.real(folder) {
            Ok(real) => collect(&real, folder.as_str(), &mut found)?,
            Err(SourceError::NotFound) => {}
            Err(error) => return Err(error),
        }
        found.sort();
        Ok(found)
    }
}

/// Adds every file below `real` to `found`, as a path below `folder`. Folders behind links are not
/// entered: git holds such a link as one entry, and a loop of them would have no end.
fn collect(real: &Path, folder: &str, found: &mut Vec<RepoPath>) -> Result<(), SourceError> {
    for entry in fs::read_dir(real).map_err(|error| reason(&error))? {
        let entry = entry.map_err(|error| reason(&error))?;
        let Some(name) = entry.file_name().to_str().map(ToOwned::to_owned) else {
            continue;
        };
        let path = format!("{folder}/{name}");
        if entry.file_type().map_err(|error| reason(&error))?.is_dir() {
            collect(&entry.path(), &path, found)?;
        } else if let Ok(path) = RepoPath::new(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn reason(error: &io::Error) -> SourceError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SourceError::NotFound,
        io::ErrorKind::IsADirectory => SourceError::NotAFile,
        _ => SourceError::Io(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    #[test]
    fn links_are_followed_inside_the_root_only() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repository");
        fs::create_dir_all(root.join("a")).unwrap();
        fs::write(root.join("a/real.yaml"), "name: x").unwrap();
        fs::write(folder.path().join("outside.yaml"), "secret").unwrap();
        symlink("real.yaml", root.join("a/inside.yaml")).unwrap();
        symlink("../../outside.yaml", root.join("a/outside.yaml")).unwrap();
        symlink("loop.yaml", root.join("a/loop.yaml")).unwrap();
        symlink("..", root.join("a/up")).unwrap();
        let tree = WorkingTree::open(&root).unwrap();

        assert_eq!(&*tree.read(&path("a/inside.yaml"), 99).unwrap(), b"name: x");
        assert_eq!(tree.read(&path("a/outside.yaml"), 99), Err(SourceError::LeavesRepository));
        assert!(matches!(tree.read(&path("a/loop.yaml"), 99), Err(SourceError::Io(_))));
        assert_eq!(tree.read(&path("a/none.yaml"), 99), Err(SourceError::NotFound));
        assert_eq!(tree.read(&path("a"), 99), Err(SourceError::NotAFile));
        assert_eq!(tree.read(&path("a/real.yaml"), 3), Err(SourceError::TooLarge(3)));
        assert_eq!(tree.list(&path("a")).unwrap().len(), 5);
        assert_eq!(tree.list(&path("none")).unwrap(), []);
    }
}
