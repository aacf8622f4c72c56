//! The files of a commit in a folder, for a builder that takes a folder.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::ContextError;
use super::git::{Objects, first_line};
use crate::ContextRequest;

/// Puts the commit's files, as a clone has them, below `folder/checkout`. The folder must exist.
///
/// # Errors
/// When git or tar cannot be run, or refuse.
pub async fn unpack(request: &ContextRequest, folder: &Path) -> Result<(), ContextError> {
    let ContextRequest { repository, commit } = request;
    let objects = Objects::open(repository, commit).await?;
    let failed = |command: &'static str, stderr: &[u8]| ContextError::Git {
        command,
        repository: repository.clone(),
        message: first_line(stderr),
    };
    let io = |doing: &'static str| move |source| ContextError::Io { doing, source };
    let mut archive = objects.git();
    archive.args(["archive", "--format=tar", "--prefix=checkout/"]).arg(&objects.commit);
    archive.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut archive = archive.spawn().map_err(ContextError::NoGit)?;
    let output = archive.stdout.take().map(TryInto::<Stdio>::try_into);
    let output = output.transpose().map_err(io("joining git and tar"))?;
    let mut tar = Command::new("tar");
    tar.args(["-x", "-p", "--no-same-owner", "-C"]).arg(folder).kill_on_drop(true);
    let tar = tar.stdin(output.unwrap_or_else(Stdio::null)).stderr(Stdio::piped()).output();
    let (git, tar) = tokio::join!(archive.wait_with_output(), tar);
    let (git, tar) = (git.map_err(io("waiting for git"))?, tar.map_err(io("running tar"))?);
    if !git.status.success() {
        return Err(failed("archive", &git.stderr));
    }
    if !tar.status.success() {
        return Err(failed("archive | tar -x", &tar.stderr));
    }
    Ok(())
}
