//! Doors for the fuzz targets of `fuzz/`. Not built otherwise.

use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::failure::ReadFailure;
use crate::reading::{self, Depth};
use crate::source::manifest::{ConfigJson, Document};
use crate::source::{Blobs, Files, LayerRef, Opened};

/// The threads that one input started. A fuzzer looks for leaks between two inputs, and takes for one
/// what a thread near its end is still giving back.
static THREADS: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Has an input end only after a thread of it.
pub(crate) fn wait_for(thread: JoinHandle<()>) {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
}

/// Two layers in memory, the bottom one first.
struct InMemory {
    layers: Vec<LayerRef>,
    bytes: [Vec<u8>; 2],
}

impl Blobs for InMemory {
    fn layers(&self) -> &[LayerRef] {
        &self.layers
    }

    fn open(&self, layer: &LayerRef) -> Result<Box<dyn Read + Send>, ReadFailure> {
        let bytes = &self.bytes[usize::from(layer.name == "top")];
        Ok(Box::new(std::io::Cursor::new(bytes.clone())))
    }
}

/// Reads two layers to the end and judges them.
pub fn layers(bottom: &[u8], top: &[u8]) {
    let layer = |name: &str| LayerRef { name: name.to_owned(), digest: None, size: None };
    let blobs = InMemory {
        layers: vec![layer("bottom"), layer("top")],
        bytes: [bottom.to_vec(), top.to_vec()],
    };
    let opened = Opened {
        platform: contract::Platform::default(),
        config: contract::ImageConfig::default(),
        size: None,
        files: Files::Layers(Box::new(blobs)),
    };
    if let Ok((facts, _)) = reading::facts(opened, Depth::Whole) {
        let _ = contract::judge(&facts);
    }
    for thread in THREADS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

/// Reads index, manifest and config.
pub fn manifest(bytes: &[u8]) {
    if let Ok(document) = Document::parse(bytes, "fuzz") {
        let _ = document.choose();
        for layer in &document.layers {
            let _ = layer.sha256();
        }
    }
    if let Ok(config) = ConfigJson::parse(bytes, "fuzz") {
        let (platform, config) = config.lower();
        let facts = contract::ImageFacts { platform, config, ..contract::ImageFacts::default() };
        let _ = (contract::judge(&facts), contract::forecast(&facts));
    }
}

/// Reads a file.
pub fn content(bytes: &[u8]) {
    let _ = crate::content::content("/usr/bin/x", bytes);
    let _ = crate::content::content("/etc/passwd", bytes);
}
