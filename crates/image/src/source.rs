//! Where images are: each kind of place opened into the same two shapes, layers or paths.

mod archive;
pub(crate) mod folder;
pub(crate) mod manifest;
mod oci;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use contract::{ImageConfig, Node, Platform};

use crate::failure::ReadFailure;

pub(crate) use folder::open as open_folder;
pub(crate) use oci::{layer_ref, open_tar, other_platform};

/// Opens an OCI layout in a folder.
pub(crate) fn open_layout(path: &Path, tag: Option<&str>) -> Result<Opened, ReadFailure> {
    oci::layout(archive::Store::Folder(path.to_owned()), tag)
}

/// An image whose config is known and whose files can be read.
pub(crate) struct Opened {
    pub(crate) platform: Platform,
    pub(crate) config: ImageConfig,
    /// The unpacked size, where somebody states it.
    pub(crate) size: Option<u64>,
    pub(crate) files: Files,
}

/// How the files can be read.
pub(crate) enum Files {
    /// As a pile of layers.
    Layers(Box<dyn Blobs>),
    /// One by one.
    Paths(Box<dyn Paths>),
    /// They were read before.
    Known(BTreeMap<String, Node>),
}

/// A layer of an image.
#[derive(Clone, Debug)]
pub(crate) struct LayerRef {
    /// Its name in messages.
    pub(crate) name: String,
    /// The digest of the bytes that [`Blobs::open`] gives.
    pub(crate) digest: Option<String>,
    /// Their number, where it is stated.
    pub(crate) size: Option<u64>,
}

/// Layers that can be opened, again and again.
pub(crate) trait Blobs: Send + Sync {
    /// The layers, the bottom one first.
    fn layers(&self) -> &[LayerRef];

    /// The bytes of one.
    fn open(&self, layer: &LayerRef) -> Result<Box<dyn Read + Send>, ReadFailure>;

    /// How often a layer is tried whose reading breaks off.
    fn tries(&self) -> u32 {
        1
    }
}

/// How much of a file is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Whatever it holds.
    Contents,
    /// Its words if it is a text. That a program is there is enough: where contents are dear, they
    /// are left out, as [`contract::Content::Unread`].
    Words,
}

/// Paths that can be looked at one by one. None of them passes through a link.
pub(crate) trait Paths: Send {
    /// What stands at each path.
    fn nodes(&mut self, paths: &[(String, Wish)]) -> Result<Vec<Node>, ReadFailure>;

    /// The paths right below a folder.
    fn children(&mut self, folder: &str) -> Result<Vec<String>, ReadFailure>;

    /// What is taken on trust.
    fn not_verified(&self) -> Vec<String>;

    /// Removes whatever was made for the reading. Called outside any async task.
    fn close(&mut self) {}
}
