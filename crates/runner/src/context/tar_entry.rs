//! One tar entry: the Dockerfile in front of git's own stream.

use bytes::Bytes;

/// A tar stream's block.
const BLOCK: usize = 512;

/// A regular file of the context's root, padded, without a tar stream's end.
pub(super) fn file(name: &str, contents: &[u8]) -> std::io::Result<Bytes> {
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_entry_type(tar::EntryType::Regular);
    header.set_mode(0o644);
    // The same bytes on every machine and at every time.
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.set_size(contents.len() as u64);
    header.set_cksum();
    let mut entry = header.as_bytes().to_vec();
    entry.extend_from_slice(contents);
    entry.resize(entry.len().next_multiple_of(BLOCK), 0);
    Ok(entry.into())
}

/// A tar stream's end.
pub(super) const END: &[u8] = &[0; 2 * BLOCK];
