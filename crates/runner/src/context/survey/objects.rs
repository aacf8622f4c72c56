//! Sizes and contents of many objects, each through one `git cat-file`.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::ChildStdout;

use super::tree::Entry;
use crate::context::ContextError;
use crate::context::git::Objects;

/// The sizes, in the order of `entries`.
pub(super) async fn sizes(objects: &Objects, entries: &[Entry]) -> Result<Vec<u64>, ContextError> {
    let mut sizes = Vec::with_capacity(entries.len());
    let mut output = ask(objects, "--batch-check", entries)?;
    for _ in entries {
        sizes.push(head(objects, &mut output).await?);
    }
    Ok(sizes)
}

/// The contents, in the order of `entries`. Ask only for what is known to be small.
pub(super) async fn contents(
    objects: &Objects,
    entries: &[Entry],
) -> Result<Vec<Vec<u8>>, ContextError> {
    let io = |source| ContextError::Io { doing: "reading an object", source };
    let mut all = Vec::with_capacity(entries.len());
    let mut output = ask(objects, "--batch", entries)?;
    for _ in entries {
        let size = head(objects, &mut output).await?;
        let mut text = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
        output.read_exact(&mut text).await.map_err(io)?;
        // Each object ends with a newline of the protocol's.
        output.read_u8().await.map_err(io)?;
        all.push(text);
    }
    Ok(all)
}

type Answers = BufReader<ChildStdout>;

fn ask(objects: &Objects, how: &str, entries: &[Entry]) -> Result<Answers, ContextError> {
    let mut command = objects.git();
    command.args(["cat-file", "--buffer", how]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(ContextError::NoGit)?;
    let question: String = entries.iter().map(|entry| format!("{}\n", entry.id)).collect();
    let (input, output) = (child.stdin.take(), child.stdout.take());
    // Asking and answering overlap: a pipe holds less than many questions.
    tokio::spawn(async move {
        if let Some(mut input) = input {
            let _ = input.write_all(question.as_bytes()).await;
        }
        let _ = child.wait().await;
    });
    output
        .map(|output| BufReader::with_capacity(1 << 18, output))
        .ok_or_else(|| gone(objects, "no output"))
}

/// `id type size`; returns the size.
async fn head(objects: &Objects, output: &mut Answers) -> Result<u64, ContextError> {
    let mut line = String::new();
    output
        .read_line(&mut line)
        .await
        .map_err(|source| ContextError::Io { doing: "reading an object", source })?;
    let size = line.trim_end().rsplit(' ').next().and_then(|word| word.parse().ok());
    size.ok_or_else(|| gone(objects, line.trim_end()))
}

fn gone(objects: &Objects, line: &str) -> ContextError {
    // `missing` is what a partial clone answers for what it never fetched.
    let message = format!("an object of the commit cannot be read ({line})");
    ContextError::Git { command: "cat-file", repository: objects.repository.clone(), message }
}
