//! Small git repositories, made of a folder's files.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::command::{command, quiet};

/// Copies a fixture to `to` and commits it.
pub(crate) fn of_fixture(fixture: &Path, to: &Path) -> Result<()> {
    copy_fixture(fixture, to)?;
    commit(to)
}

/// Copies what of a fixture is committed; `to` holds nothing else afterwards.
pub(crate) fn copy_fixture(fixture: &Path, to: &Path) -> Result<()> {
    drop(fs::remove_dir_all(to));
    fs::create_dir_all(to)?;
    quiet(command("cp", ["-a"]).arg(fixture.join(".")).arg(to))?;
    Ok(fs::remove_file(to.join("expect.toml"))?)
}

/// Makes a repository of everything in `folder`, with one commit.
pub(crate) fn commit(folder: &Path) -> Result<()> {
    for arguments in [
        "init --quiet --initial-branch=main",
        "add --all --force",
        "-c user.name=xtask -c user.email=xtask@example.org -c gc.auto=0 commit --quiet --message=files",
    ] {
        quiet(command("git", arguments.split(' ')).current_dir(folder))?;
    }
    Ok(())
}
