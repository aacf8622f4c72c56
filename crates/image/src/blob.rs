//! A blob on its way in: hashed as it comes, then unpacked, with an end to its size.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use sha2::{Digest as _, Sha256};

use crate::failure::{ReadCode, ReadFailure};
use crate::limits::{MAX_UNPACKED, ZSTD_WINDOW_LOG};

/// How much is read and hashed at once.
const CHUNK: usize = 256 << 10;
/// How many chunks may wait between the thread that hashes and the one that unpacks.
const WAITING: usize = 4;

/// What is shared by all blobs of one reading.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// Set when the answer is certain: every blob ends at its next chunk.
    pub(crate) stop: AtomicBool,
    /// Bytes that came in.
    pub(crate) received: AtomicU64,
    /// Bytes after unpacking.
    unpacked: AtomicU64,
}

/// The stream of an unpacked blob, whose digest is checked by the time it ends.
pub(crate) fn unpack(
    source: Box<dyn Read + Send>,
    digest: Option<&str>,
    name: &str,
    meter: &Arc<Meter>,
) -> io::Result<Box<dyn Read>> {
    let hashed = Hashed::start(source, digest, name, meter)?;
    let mut reader = BufReader::with_capacity(CHUNK, hashed);
    let head = reader.fill_buf()?;
    let unpacked: Box<dyn Read> = if head.starts_with(&[0x1f, 0x8b]) {
        Box::new(Drained(flate2::bufread::MultiGzDecoder::new(reader)))
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) || is_skippable(head) {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(reader)?;
        decoder.window_log_max(ZSTD_WINDOW_LOG)?;
        Box::new(Windowed { inner: decoder, name: name.to_owned() })
    } else if head.starts_with(b"BZh") || head.starts_with(b"\xfd7zXZ") {
        return Err(failed(ReadCode::ImageFormat, format!("{name} is neither tar, gzip nor zstd")));
    } else {
        Box::new(reader)
    };
    Ok(Box::new(Bounded { inner: unpacked, meter: Arc::clone(meter), name: name.to_owned() }))
}

/// A failure in the clothes of an I/O error, so that it passes through any reader.
pub(crate) fn failed(code: ReadCode, message: String) -> io::Error {
    io::Error::other(ReadFailure::new(code, message))
}

/// An error of [`Meter::stop`].
pub(crate) fn is_stop(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Stopped>)
}

#[derive(Debug, thiserror::Error)]
#[error("stopped: the answer is certain")]
struct Stopped;

/// zstd frames that carry no data; some packers put one in front.
fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// A thread reads and hashes, so that unpacking never waits for it.
struct Hashed {
    chunks: Receiver<io::Result<Vec<u8>>>,
    spent: SyncSender<Vec<u8>>,
    chunk: Vec<u8>,
    at: usize,
    done: bool,
}

impl Hashed {
    fn start(
        source: Box<dyn Read + Send>,
        digest: Option<&str>,
        name: &str,
        meter: &Arc<Meter>,
    ) -> io::Result<Self> {
        let (send, chunks) = sync_channel(WAITING);
        let (spent, empty) = sync_channel(WAITING + 2);
        let (digest, name) = (digest.map(str::to_owned), name.to_owned());
        let meter = Arc::clone(meter);
        // Its send fails when nobody reads on, and it ends.
        let _thread = thread::Builder::new().name("blob".to_owned()).spawn(move || {
            if let Err(error) = pump(source, &send, &empty, digest.as_deref(), &name, &meter) {
                let _ = send.send(Err(error));
            }
        })?;
        // Not waited for: the source may be a slow registry, and the answer certain.
        #[cfg(feature = "fuzzing")]
        crate::fuzzing::wait_for(_thread);
        Ok(Self { chunks, spent, chunk: Vec::new(), at: 0, done: false })
    }
}

fn pump(
    mut source: Box<dyn Read + Send>,
    send: &SyncSender<io::Result<Vec<u8>>>,
    empty: &Receiver<Vec<u8>>,
    digest: Option<&str>,
    name: &str,
    meter: &Meter,
) -> io::Result<()> {
    let mut hash = digest.map(|_| Sha256::new());
    loop {
        if meter.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other(Stopped));
        }
        let mut chunk = empty.try_recv().unwrap_or_default();
        chunk.clear();
        (&mut source).take(CHUNK as u64).read_to_end(&mut chunk)?;
        if chunk.is_empty() {
            break;
        }
        meter.received.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        if let Some(hash) = &mut hash {
            hash.update(&chunk);
        }
        if send.send(Ok(chunk)).is_err() {
            return Ok(());
        }
    }
    match (digest, hash) {
        (Some(digest), Some(hash)) => check(digest, &hash.finalize(), name),
        _ => Ok(()),
    }
}

/// Compares a stated digest with the bytes that came.
pub(crate) fn check(stated: &str, found: &[u8], name: &str) -> io::Result<()> {
    let found = format!("sha256:{}", hex(found));
    if stated == found {
        return Ok(());
    }
    let message = format!("{name} should be {stated} and is {found}");
    Err(failed(ReadCode::DigestMismatch, message))
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.chunk.len() {
            if self.done {
                return Ok(0);
            }
            let next = match self.chunks.recv() {
                Ok(next) => next?,
                Err(_) => {
                    self.done = true;
                    return Ok(0);
                }
            };
            // Given back to be filled again; when the way back is full, it is simply dropped.
            let _ = self.spent.try_send(std::mem::replace(&mut self.chunk, next));
            self.at = 0;
        }
        let count = buffer.len().min(self.chunk.len() - self.at);
        buffer[..count].copy_from_slice(&self.chunk[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// Reads on behind the last gzip member, so that the digest covers every byte.
struct Drained<R>(flate2::bufread::MultiGzDecoder<R>);

impl<R: BufRead> Read for Drained<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        if count == 0 && !buffer.is_empty() {
            io::copy(self.0.get_mut(), &mut io::sink())?;
        }
        Ok(count)
    }
}

/// How the decoder begins when a frame wants a larger window than it may have.
const TOO_FAR: &str = "Frame requires too much memory";

/// Says in our words that a layer was packed for readers with more memory.
struct Windowed<R> {
    inner: R,
    name: String,
}

impl<R: Read> Read for Windowed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            if !error.to_string().starts_with(TOO_FAR) {
                return error;
            }
            let (name, limit) = (&self.name, 1_u64 << (ZSTD_WINDOW_LOG - 20));
            let message = format!(
                "{name} refers back further than {limit} MiB, as `zstd --ultra` and `--long` pack it"
            );
            failed(ReadCode::ImageLimit, message)
        })
    }
}

/// Ends what unpacks without end.
struct Bounded {
    inner: Box<dyn Read>,
    meter: Arc<Meter>,
    name: String,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let before = self.meter.unpacked.fetch_add(count as u64, Ordering::Relaxed);
        if before > MAX_UNPACKED {
            let limit = MAX_UNPACKED >> 30;
            let message = format!("{}: the image unpacks to more than {limit} GiB", self.name);
            return Err(failed(ReadCode::ImageLimit, message));
        }
        Ok(count)
    }
}
