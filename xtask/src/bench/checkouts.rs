//! Repositories to check: a small one, and one of 20,000 files and 300 MB.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::{paths, repository};

const FOLDERS: usize = 200;
const FILES_IN_EACH: usize = 100;
const BYTES_IN_EACH: usize = 15_000;

/// The known-good fixture without what the hand recipe would stumble over: the `docker` client obeys `.dockerignore` and
/// `git archive` obeys export attributes, so by hand that checkout arrives incomplete.
pub(crate) fn small(folder: &Path) -> Result<()> {
    copy(folder)?;
    repository::commit(folder)
}

/// The same with 20,000 files more, unless an earlier run made it.
pub(crate) fn large(folder: &Path) -> Result<()> {
    if folder.join(".git/refs/heads/main").exists() {
        return Ok(());
    }
    eprintln!("xtask: making a repository of 20,000 files");
    copy(folder)?;
    let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
    for number in 0..FOLDERS {
        let inside = folder.join(format!("files/{number:03}"));
        fs::create_dir_all(&inside)?;
        for number in 0..FILES_IN_EACH {
            fs::write(inside.join(format!("{number:03}.dat")), noise.bytes(BYTES_IN_EACH))?;
        }
    }
    repository::commit(folder)
}

fn copy(folder: &Path) -> Result<()> {
    repository::copy_fixture(&paths::workspace().join("fixtures/known-good"), folder)?;
    for file in [".dockerignore", ".gitattributes", "drydock.toml"] {
        fs::remove_file(folder.join(file))?;
    }
    Ok(fs::write(folder.join("Makefile"), "environment-setup test:\n\ttest -x run.sh\n")?)
}

/// Bytes that do not compress: equal in every run (xorshift64).
struct Noise(u64);

impl Noise {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let words = std::iter::repeat_with(|| {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0.to_le_bytes()
        });
        words.flatten().take(count).collect()
    }
}
