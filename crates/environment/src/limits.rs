//! What bounds the work on hostile input. Beyond each limit stands a finding, never a silent cut.

/// The largest definition file, in bytes: beyond it, `file-too-large`.
pub(crate) const FILE_BYTES: u64 = 1 << 20;
