//! How much of an image is held and read at most. Beyond a limit stands a clear failure, never a guess.

/// Layers that are read at the same time. Each holds one window and at most one file.
pub(crate) const WORKERS: usize = 2;
/// A file that is looked into is held whole; a larger one counts as not read (8 MiB).
pub(crate) const MAX_FILE: u64 = 8 << 20;
/// A text (`/etc/passwd`) is kept whole up to this size (1 MiB).
pub(crate) const MAX_TEXT: usize = 1 << 20;
/// The names and extended headers of one tar entry (1 MiB).
pub(crate) const MAX_TAR_META: u64 = 1 << 20;
/// Paths that are kept of one layer, over and above those that were asked for by name.
pub(crate) const MAX_KEPT: usize = 8_192;
/// The texts, names and library lists kept of one image (16 MiB).
pub(crate) const MAX_KEPT_BYTES: usize = 16 << 20;
/// All layers, unpacked (64 GiB; the hosted builder takes 25 GB).
pub(crate) const MAX_UNPACKED: u64 = 64 << 30;
/// Layers of one image (overlay2 itself takes 128).
pub(crate) const MAX_LAYERS: usize = 512;
/// A manifest, index or config (4 MiB, as registries hold it).
pub(crate) const MAX_JSON: u64 = 4 << 20;
/// zstd: how far a layer may refer back (2^23 = 8 MiB, what the format's own text asks every reader to take).
pub(crate) const ZSTD_WINDOW_LOG: u32 = 23;
/// How often layers are read again for paths that turned out to matter (links to unusual places).
pub(crate) const MAX_PASSES: u32 = 12;
