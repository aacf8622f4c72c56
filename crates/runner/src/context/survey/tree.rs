//! A commit's tree, entry by entry.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::context::ContextError;
use crate::context::git::{Objects, first_line};

/// An entry of a tree.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) id: String,
    /// Lossy UTF-8.
    pub(super) path: String,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Link,
    Submodule,
}

/// Calls `visit` for every entry, in the order of the tree.
pub(super) async fn walk(
    objects: &Objects,
    mut visit: impl FnMut(Entry),
) -> Result<(), ContextError> {
    let io = |source| ContextError::Io { doing: "reading the commit's tree", source };
    let mut command = objects.git();
    command.args(["ls-tree", "-r", "-t", "-z", &objects.commit]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(ContextError::NoGit)?;
    if let Some(output) = child.stdout.take() {
        let mut output = BufReader::with_capacity(1 << 18, output);
        let mut record = Vec::new();
        while output.read_until(0, &mut record).await.map_err(io)? > 0 {
            if let Some(entry) = read(record.strip_suffix(&[0]).unwrap_or(&record)) {
                visit(entry);
            }
            record.clear();
        }
    }
    let ended = child.wait_with_output().await.map_err(io)?;
    if ended.status.success() {
        return Ok(());
    }
    Err(ContextError::Git {
        command: "ls-tree",
        repository: objects.repository.clone(),
        message: first_line(&ended.stderr),
    })
}

/// `mode type id`, a tab, the path.
fn read(record: &[u8]) -> Option<Entry> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let head = std::str::from_utf8(&record[..tab]).ok()?;
    let mut words = head.split(' ');
    let kind = match words.next()? {
        "040000" => Kind::Folder,
        "120000" => Kind::Link,
        "160000" => Kind::Submodule,
        _ => Kind::File,
    };
    let id = words.nth(1)?.to_owned();
    let path = String::from_utf8_lossy(&record[tab + 1..]).into_owned();
    Some(Entry { kind, id, path })
}
