//! A repository of a test: files in a folder of their own, and one commit.

mod commit;

use tempfile::TempDir;

/// A repository with these files.
pub(crate) fn repository(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    commit::commit(folder.path());
    folder
}
