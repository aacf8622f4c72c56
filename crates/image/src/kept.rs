//! What was read of an engine's image before. An image id stands for the same files for ever, so that
//! they need not be read again; what cannot be used, for whatever reason, is as good as not there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use contract::Node;
use serde::{Deserialize, Serialize};

use crate::limits::MAX_JSON;

/// The form of a kept file. Another version of this crate may look for other things in a file, so
/// that what it kept does not count either.
const SCHEMA: &str = concat!("kept-facts/1 drydock ", env!("CARGO_PKG_VERSION"));
/// How many images are remembered; the ones longest in the folder make room (some 30 KiB each).
const MAX_IMAGES: usize = 64;

/// The place of one image's facts.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: PathBuf,
    id: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    schema: String,
    id: String,
    files: BTreeMap<String, Node>,
}

impl Kept {
    /// The place for an image; `None` for an id that is no SHA-256.
    pub(crate) fn of(folder: &Path, id: &str) -> Option<Self> {
        let hex = id.strip_prefix("sha256:")?;
        let is_hash = hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Self { folder: folder.to_owned(), id: hex.to_owned() })
    }

    /// What was read of it.
    pub(crate) fn load(&self) -> Option<BTreeMap<String, Node>> {
        let mut bytes = Vec::new();
        File::open(self.path()).ok()?.take(MAX_JSON).read_to_end(&mut bytes).ok()?;
        let entry: Entry = serde_json::from_slice(&bytes).ok()?;
        (entry.schema == SCHEMA && entry.id == self.id).then_some(entry.files)
    }

    /// Keeps what was read. That it cannot be kept costs time and nothing else.
    pub(crate) fn store(&self, files: &BTreeMap<String, Node>) {
        let _ = self.write(files);
    }

    fn write(&self, files: &BTreeMap<String, Node>) -> io::Result<()> {
        let entry = Entry { schema: SCHEMA.to_owned(), id: self.id.clone(), files: files.clone() };
        let bytes = serde_json::to_vec(&entry)?;
        if bytes.len() as u64 >= MAX_JSON {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        // Whoever reads at the same time finds the old file or the new one, and never half of one.
        let part = self.folder.join(format!("{}.{}.part", self.id, std::process::id()));
        let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, self.path()));
        if written.is_err() {
            drop(fs::remove_file(&part));
        }
        make_room(&self.folder);
        written
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.id))
    }
}

/// Removes what is kept of images in a folder, and says of how many.
///
/// # Errors
/// When a file cannot be removed.
pub fn forget(folder: &Path) -> io::Result<usize> {
    let mut images = 0;
    for (path, _) in kept(folder) {
        images += usize::from(path.extension() == Some(OsStr::new("json")));
        fs::remove_file(path)?;
    }
    Ok(images)
}

fn make_room(folder: &Path) {
    let mut all = kept(folder);
    all.sort_by_key(|(_, since)| *since);
    let too_many = all.len().saturating_sub(MAX_IMAGES);
    for (path, _) in all.into_iter().take(too_many) {
        drop(fs::remove_file(path));
    }
}

/// Our files in a folder, and when each was written. Whatever else is there is somebody else's.
fn kept(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let ours = |name: &str| {
        let hash = name.get(..64).is_some_and(|hash| hash.bytes().all(|b| b.is_ascii_hexdigit()));
        hash && (name.ends_with(".json") || name.ends_with(".part"))
    };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(ours))
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.modified().ok()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> String {
        format!("sha256:{number:064x}")
    }

    fn files() -> BTreeMap<String, Node> {
        BTreeMap::from([("/usr".to_owned(), Node::Directory)])
    }

    #[test]
    fn what_was_kept_comes_back_and_what_is_alien_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = Kept::of(folder.path(), &id(1)).expect("an id");
        assert_eq!(kept.load(), None);
        kept.store(&files());
        assert_eq!(kept.load(), Some(files()));

        let other = Kept::of(folder.path(), &id(2)).expect("an id");
        fs::copy(kept.path(), other.path()).expect("a copy");
        assert_eq!(other.load(), None, "another image's facts");
        let whole = fs::read_to_string(kept.path()).expect("a file");
        for broken in
            [&whole[..whole.len() / 2], "", &whole.replace("kept-facts/1", "kept-facts/0")]
        {
            fs::write(kept.path(), broken).expect("a file");
            assert_eq!(kept.load(), None, "{broken}");
        }
        assert!(Kept::of(folder.path(), "sha256:../../etc/passwd").is_none());
    }

    #[test]
    fn the_folder_stays_small_and_only_our_files_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("letter.json"), "not ours").expect("a file");
        for number in 0..MAX_IMAGES + 3 {
            Kept::of(folder.path(), &id(number)).expect("an id").store(&files());
        }
        assert_eq!(kept(folder.path()).len(), MAX_IMAGES);
        assert!(Kept::of(folder.path(), &id(MAX_IMAGES + 2)).expect("an id").load().is_some());
        assert_eq!(forget(folder.path()).ok(), Some(MAX_IMAGES));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
