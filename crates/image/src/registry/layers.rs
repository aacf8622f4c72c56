//! Layers of a registry as streams that blocking code can read.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::{Buf as _, Bytes};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, channel};

use super::client::{Client, next_frame};
use super::retry::{self, Patience};
use crate::failure::{ReadCode, ReadFailure};
use crate::source::{Blobs, LayerRef};

/// Frames that may wait between the network and the reader; each is some 16 KiB.
const WAITING: usize = 16;

/// The layers of an image in a registry.
pub(super) struct Remote {
    client: Arc<Client>,
    layers: Vec<LayerRef>,
    patience: Patience,
    runtime: Handle,
}

impl Remote {
    pub(super) fn new(client: Arc<Client>, layers: Vec<LayerRef>, patience: Patience) -> Self {
        Self { client, layers, patience, runtime: Handle::current() }
    }
}

impl Blobs for Remote {
    fn layers(&self) -> &[LayerRef] {
        &self.layers
    }

    fn open(&self, layer: &LayerRef) -> Result<Box<dyn Read + Send>, ReadFailure> {
        let path = format!("blobs/{}", layer.digest.as_deref().unwrap_or(""));
        let get = || self.client.get(&path, "*/*", &layer.name);
        let response = self.runtime.block_on(retry::times(self.patience, get))?;
        let mut body = response.into_body();
        let (send, frames) = channel(WAITING);
        let (patience, name, size) = (self.patience, layer.name.clone(), layer.size);
        self.runtime.spawn(async move {
            let mut received = 0;
            loop {
                let frame = match next_frame(&mut body, patience, &name).await {
                    Ok(Some(frame)) => Ok(frame),
                    Ok(None) if size.is_some_and(|size| size > received) => {
                        let message = format!("{name} ends after {received} bytes");
                        Err(ReadFailure::new(ReadCode::BlobCut, message))
                    }
                    Ok(None) => return,
                    Err(failure) => Err(failure),
                };
                received += frame.as_ref().map_or(0, |frame| frame.len() as u64);
                let last = frame.is_err();
                // A reader that left has seen enough.
                if send.send(frame).await.is_err() || last {
                    return;
                }
            }
        });
        Ok(Box::new(Stream { frames, frame: Bytes::new() }))
    }

    fn tries(&self) -> u32 {
        self.patience.tries
    }
}

struct Stream {
    frames: Receiver<Result<Bytes, ReadFailure>>,
    frame: Bytes,
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.frame.is_empty() {
            match self.frames.blocking_recv() {
                Some(Ok(frame)) => self.frame = frame,
                Some(Err(failure)) => return Err(io::Error::other(failure)),
                None => return Ok(0),
            }
        }
        let count = buffer.len().min(self.frame.len());
        self.frame.copy_to_slice(&mut buffer[..count]);
        Ok(count)
    }
}
