//! Reads layers from the top, some at a time, until nothing is missing.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use contract::ImageFacts;

use super::{Depth, LISTED, Reading, prune, unread};
use crate::blob::{Meter, is_stop, unpack};
use crate::failure::{ReadCode, ReadFailure};
use crate::layer::{Layer, scan};
use crate::limits::{MAX_LAYERS, MAX_PASSES, WORKERS};
use crate::source::{Blobs, LayerRef};
use crate::stack::{Found, Stack};
use crate::wanted::Wanted;

/// What is looked for on every image's PATH.
const ASKED: [&str; 10] =
    ["bash", "id", "uname", "getconf", "mkdir", "git", "useradd", "groupadd", "getent", "apt-get"];

/// What is missing after a look at the layers that are there.
#[derive(Default)]
struct Missing {
    /// Paths that must be wanted before layers are read again.
    not_kept: Vec<String>,
    /// Whether a layer must be read that was not.
    not_yet: bool,
}

/// Fills the facts from layers.
pub(super) fn read(
    blobs: &dyn Blobs,
    facts: &mut ImageFacts,
    depth: Depth,
) -> Result<Reading, ReadFailure> {
    let layers = blobs.layers();
    if layers.len() > MAX_LAYERS {
        let message = format!("the image has {} layers, more than {MAX_LAYERS}", layers.len());
        return Err(ReadFailure::new(ReadCode::ImageLimit, message));
    }
    let mut wanted = Wanted::default();
    for folder in facts.config.search_path() {
        for name in ASKED {
            wanted.add(&format!("{}/{name}", folder.trim_end_matches('/')));
        }
    }
    let mut reading = Reading { layers: layers.len(), ..Reading::default() };
    loop {
        reading.passes += 1;
        let meter = Arc::new(Meter::default());
        let stack = pass(blobs, &wanted, facts, depth, &meter)?;
        reading.bytes_read += meter.received.load(Ordering::Relaxed);
        if stack.is_overfull() && !wanted.only_named() {
            let message = "the image has too many files and links on the way to its shell";
            return Err(ReadFailure::new(ReadCode::ImageLimit, message.to_owned()));
        }
        let missing = fill(facts, &stack, &wanted, depth);
        if missing.not_kept.is_empty() || reading.passes >= MAX_PASSES {
            return Ok(finish(facts, &stack, &wanted, layers, reading));
        }
        for path in &missing.not_kept {
            wanted.add(path);
        }
        facts.files.clear();
    }
}

/// Reads the layers once.
fn pass(
    blobs: &dyn Blobs,
    wanted: &Wanted,
    facts: &ImageFacts,
    depth: Depth,
    meter: &Arc<Meter>,
) -> Result<Stack, ReadFailure> {
    let layers = blobs.layers();
    let stack = Mutex::new(Stack::new(layers.len()));
    let failure = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let work = || {
        while !meter.stop.load(Ordering::Relaxed) {
            let from_top = next.fetch_add(1, Ordering::Relaxed);
            let Some(layer) = layers.iter().rev().nth(from_top) else { return };
            match read_layer(blobs, layer, wanted, meter) {
                Ok(Some(kept)) => {
                    let mut stack = lock(&stack);
                    stack.put(from_top, kept);
                    if depth == Depth::Verdict && is_certain(facts, &stack, wanted) {
                        meter.stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    meter.stop.store(true, Ordering::Relaxed);
                    lock(&failure).get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..WORKERS.min(layers.len())).map(|_| scope.spawn(work)).collect();
        // A scope alone does not wait for what a thread gives back behind its last line.
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) => Err(failure),
        None => Ok(stack.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// Reads one layer; `None` when the answer was certain before its end.
fn read_layer(
    blobs: &dyn Blobs,
    layer: &LayerRef,
    wanted: &Wanted,
    meter: &Arc<Meter>,
) -> Result<Option<Layer>, ReadFailure> {
    let mut tries = 0;
    loop {
        tries += 1;
        let digest = layer.digest.as_deref();
        let read = blobs.open(layer).and_then(|source| {
            let mut stream =
                unpack(source, digest, &layer.name, meter).map_err(|e| told(e, layer))?;
            scan(&mut stream, wanted).map_err(|error| told(error, layer))
        });
        match read {
            Ok(kept) => return Ok(Some(kept)),
            Err(_) if meter.stop.load(Ordering::Relaxed) => return Ok(None),
            Err(failure) if failure.is_worth_a_retry() && tries < blobs.tries() => {}
            Err(failure) => return Err(failure),
        }
    }
}

/// What an I/O error of a layer means.
fn told(error: io::Error, layer: &LayerRef) -> ReadFailure {
    if is_stop(&error) {
        return ReadFailure::new(ReadCode::BlobCut, error.to_string());
    }
    let kind = error.kind();
    match error.downcast::<ReadFailure>() {
        Ok(failure) => failure,
        Err(error) => {
            let code = match kind {
                io::ErrorKind::UnexpectedEof => ReadCode::BlobCut,
                _ => ReadCode::LayerCorrupt,
            };
            ReadFailure::new(code, format!("{}: {error}", layer.name))
        }
    }
}

/// Moves what the facts lack from the layers into them.
fn fill(facts: &mut ImageFacts, stack: &Stack, wanted: &Wanted, depth: Depth) -> Missing {
    loop {
        let mut missing = Missing::default();
        let mut found = false;
        for path in unread(facts, depth) {
            match stack.node(&path, wanted) {
                Found::Node(node) => {
                    facts.files.insert(path, node);
                    found = true;
                }
                Found::NotYet => missing.not_yet = true,
                Found::NotKept(path) => missing.not_kept.push(path),
            }
        }
        if !found {
            return missing;
        }
    }
}

/// Whether the layers that are there decide.
fn is_certain(facts: &ImageFacts, stack: &Stack, wanted: &Wanted) -> bool {
    if stack.is_overfull() {
        return false;
    }
    let mut trial = facts.clone();
    let missing = fill(&mut trial, stack, wanted, Depth::Verdict);
    !missing.not_yet
}

fn finish(
    facts: &mut ImageFacts,
    stack: &Stack,
    wanted: &Wanted,
    layers: &[LayerRef],
    mut reading: Reading,
) -> Reading {
    for path in LISTED.iter().flat_map(|folder| stack.children(folder)) {
        if let Found::Node(node) = stack.node(&path, wanted) {
            facts.files.insert(path, node);
        }
    }
    prune(facts);
    let unread: Vec<usize> = stack.missing().collect();
    reading.layers_read = layers.len() - unread.len();
    facts.size = stack.unpacked().or(facts.size);
    let unread = unread.into_iter().filter_map(|at| layers.iter().rev().nth(at));
    let loose = layers.iter().filter(|layer| layer.digest.is_none());
    reading.not_verified = unread.chain(loose).map(|layer| layer.name.clone()).collect();
    reading
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
