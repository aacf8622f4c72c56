//! `/etc/ld.so.cache`, in the format that glibc writes since 2.2 (with or without the older one in front).

use std::collections::BTreeMap;

const OLD_MAGIC: &[u8] = b"ld.so-1.7.0\0";
const NEW_MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
/// `FLAG_ELF_LIBC6 | FLAG_X8664_LIB64`.
const X86_64: u32 = 0x0303;
const HEADER: usize = 48;
const ENTRY: usize = 24;

/// Library names and where they are, for 64-bit x86; `None` when it is no such cache.
pub(super) fn read(bytes: &[u8]) -> Option<BTreeMap<String, Vec<String>>> {
    let cache = if bytes.starts_with(OLD_MAGIC) {
        let count = number(bytes, 12)? as usize;
        // Entries of 12 bytes behind a header of 16, then padding to 8.
        let end = 16_usize.checked_add(count.checked_mul(12)?)?.next_multiple_of(8);
        bytes.get(end..)?
    } else {
        bytes
    };
    if !cache.starts_with(NEW_MAGIC) {
        return None;
    }
    let count = number(cache, 20)? as usize;
    let mut libraries = BTreeMap::<String, Vec<String>>::new();
    for entry in cache.get(HEADER..)?.chunks_exact(ENTRY).take(count) {
        // The upper half of `hwcap` marks libraries for some processors only; those are not counted on.
        if number(entry, 0)? == X86_64 && entry[16..24].iter().all(|&byte| byte == 0) {
            let name = text(cache, number(entry, 4)? as usize)?;
            let path = text(cache, number(entry, 8)? as usize)?;
            libraries.entry(name).or_default().push(path);
        }
    }
    Some(libraries)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn text(bytes: &[u8], at: usize) -> Option<String> {
    let text = bytes.get(at..)?;
    let text = &text[..memchr::memchr(0, text)?];
    Some(String::from_utf8_lossy(text).into_owned())
}
