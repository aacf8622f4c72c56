//! Where the chores keep things.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The workspace's folder.
pub(crate) fn workspace() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => workspace().join(folder),
        None => workspace().join("target"),
    }
}

/// What may be kept from run to run: the registry's blobs, logs, tools.
pub(crate) fn cache() -> PathBuf {
    target().join("xtask")
}

/// Eight digits that keep two clones on one machine apart.
pub(crate) fn number() -> String {
    let mut hasher = DefaultHasher::new();
    workspace().hash(&mut hasher);
    format!("{:08x}", hasher.finish() as u32)
}
