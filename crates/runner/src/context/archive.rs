//! The tar stream that goes into the build request: our Dockerfile, then `git archive`.
//!
//! The commit's files stand below `checkout/`, so that no file of the repository (`Dockerfile`,
//! `.dockerignore`) can be taken for the builder's own, and the Dockerfile is not in the checkout.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::{Bytes, BytesMut};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout};
use tokio::sync::{mpsc, oneshot};

use super::git::{Objects, first_line};
use super::{ContextError, tar_entry};
use crate::engine::ContextStream;

/// What is read at once. git fills a pipe of this size while the engine takes the last one.
const CHUNK: usize = 1 << 20;

/// A context that is ready to be sent.
pub(crate) struct Archive {
    dockerfile: Bytes,
    running: Option<(Objects, Child)>,
}

/// What is known about a context while it is sent, and afterwards.
pub(crate) struct Sending {
    sent: Arc<AtomicU64>,
    ended: Option<oneshot::Receiver<Result<(), ContextError>>>,
}

impl Archive {
    /// A context with a Dockerfile and nothing else.
    pub(crate) fn without_files(dockerfile: &str) -> Result<Self, ContextError> {
        Ok(Self { dockerfile: entry(dockerfile)?, running: None })
    }

    /// Starts `git archive`. It waits for its reader once the pipe is full.
    pub(crate) fn start(objects: Objects, dockerfile: &str) -> Result<Self, ContextError> {
        let mut command = objects.git();
        command.args(["archive", "--format=tar", "--prefix=checkout/"]).arg(&objects.commit);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(ContextError::NoGit)?;
        Ok(Self { dockerfile: entry(dockerfile)?, running: Some((objects, child)) })
    }

    /// The stream, and what can be asked about it.
    pub(crate) fn send(self) -> (ContextStream, Sending) {
        let Self { dockerfile, running } = self;
        let sent = Arc::new(AtomicU64::new(0));
        let (chunks, receive) = mpsc::channel::<std::io::Result<Bytes>>(2);
        let (end, ended) = oneshot::channel();
        let counter = Arc::clone(&sent);
        tokio::spawn(async move {
            let _ = end.send(pump(dockerfile, running, &chunks, &counter).await);
        });
        let stream = futures_util::stream::unfold(receive, |mut receive| async move {
            receive.recv().await.map(|chunk| (chunk, receive))
        });
        (Box::pin(stream), Sending { sent, ended: Some(ended) })
    }
}

impl Sending {
    /// Bytes that the engine's side took so far.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Why the context could not be made, when that is how it ended. A stream that its *reader*
    /// left is no fault of the context's.
    pub(crate) async fn fault(&mut self) -> Option<ContextError> {
        self.ended.take()?.await.ok()?.err()
    }
}

fn entry(dockerfile: &str) -> Result<Bytes, ContextError> {
    tar_entry::file("Dockerfile", dockerfile.as_bytes())
        .map_err(|source| ContextError::Io { doing: "writing the context", source })
}

async fn pump(
    dockerfile: Bytes,
    running: Option<(Objects, Child)>,
    chunks: &mpsc::Sender<std::io::Result<Bytes>>,
    sent: &AtomicU64,
) -> Result<(), ContextError> {
    let pass = async |bytes: Bytes| {
        let length = bytes.len() as u64;
        let taken = chunks.send(Ok(bytes)).await.is_ok();
        sent.fetch_add(length, Ordering::Relaxed);
        taken
    };
    if !pass(dockerfile).await {
        return Ok(());
    }
    let Some((objects, mut child)) = running else {
        pass(Bytes::from_static(tar_entry::END)).await;
        return Ok(());
    };
    let mut complaints = child.stderr.take();
    let listen = tokio::spawn(async move {
        let mut text = Vec::new();
        if let Some(stderr) = &mut complaints {
            // Enough for every message of git's; the rest is drained so that git never waits.
            let _ = stderr.take(64 * 1024).read_to_end(&mut text).await;
            let _ = tokio::io::copy(stderr, &mut tokio::io::sink()).await;
        }
        text
    });
    if let Some(mut output) = child.stdout.take() {
        widen(&output);
        loop {
            let mut chunk = BytesMut::with_capacity(CHUNK);
            match output.read_buf(&mut chunk).await {
                Ok(0) => break,
                Ok(_) if pass(chunk.freeze()).await => {}
                // The reader left: the engine refused, or the run was cancelled.
                Ok(_) => return Ok(()),
                Err(source) => return Err(ContextError::Io { doing: "reading from git", source }),
            }
        }
    }
    let status = child
        .wait()
        .await
        .map_err(|source| ContextError::Io { doing: "waiting for git", source })?;
    if status.success() {
        return Ok(());
    }
    let message = first_line(&listen.await.unwrap_or_default());
    // The request must not end as if the archive were whole.
    let _ = chunks.send(Err(std::io::Error::other("git archive failed"))).await;
    Err(ContextError::Git { command: "archive", repository: objects.repository, message })
}

/// A wider pipe saves wake-ups: 64 KiB is one small file. Where it is refused, the usual one does.
#[cfg(target_os = "linux")]
fn widen(output: &ChildStdout) {
    let _ = rustix::pipe::fcntl_setpipe_size(output, CHUNK);
}

#[cfg(not(target_os = "linux"))]
fn widen(_output: &ChildStdout) {}
