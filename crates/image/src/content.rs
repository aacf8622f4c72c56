//! What a file holds: told from its bytes, never from its name.

mod cache;
mod elf;
mod program;

use contract::Content;

use crate::limits::MAX_TEXT;

/// What a file's first bytes must be to be a program or library.
const ELF_MAGIC: &[u8] = b"\x7fELF";
/// The kernel reads this much of a `#!` line.
const SHEBANG_MAX: usize = 256;

/// Files whose words count, besides those below [`TEXT_FOLDERS`].
const TEXTS: [&str; 10] = [
    "/etc/passwd",
    "/etc/group",
    "/etc/profile",
    "/etc/os-release",
    "/usr/lib/os-release",
    "/etc/debian_version",
    "/etc/ld.so.preload",
    "/etc/ld-musl-x86_64.path",
    "/etc/apt/sources.list",
    "/etc/bash.bashrc",
];
/// Folders of files whose words count.
const TEXT_FOLDERS: [&str; 2] = ["/etc/apt/sources.list.d/", "/etc/profile.d/"];

/// Tells what a file holds.
pub(crate) fn content(path: &str, bytes: &[u8]) -> Content {
    if bytes.is_empty() {
        return Content::Nothing;
    }
    if bytes.starts_with(ELF_MAGIC) {
        return elf::read(bytes)
            .map_or_else(|why| Content::Unread { why }, |elf| Content::Elf(Box::new(elf)));
    }
    if is_text(path) {
        return text(bytes);
    }
    if let Some(script) = shebang(bytes) {
        return script;
    }
    if let Some(libraries) = cache::read(bytes) {
        return Content::LibraryCache { libraries };
    }
    // A list of accounts may stand elsewhere, behind a link: words are kept wherever they are.
    if !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok() {
        return text(bytes);
    }
    Content::Data
}

/// Whether the words of the file at this path count.
pub(crate) fn is_text(path: &str) -> bool {
    TEXTS.contains(&path) || TEXT_FOLDERS.iter().any(|folder| path.starts_with(folder))
}

fn text(bytes: &[u8]) -> Content {
    if bytes.len() > MAX_TEXT {
        return Content::Unread { why: format!("longer than {MAX_TEXT} bytes") };
    }
    Content::Text { text: String::from_utf8_lossy(bytes).into_owned() }
}

/// Reads a `#!` line as the kernel does: one interpreter, the rest one argument.
fn shebang(bytes: &[u8]) -> Option<Content> {
    let head = &bytes[..bytes.len().min(SHEBANG_MAX)];
    let line = head.strip_prefix(b"#!")?;
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let line = String::from_utf8_lossy(line);
    let line = line.trim_matches([' ', '\t']);
    let (interpreter, argument) = match line.split_once([' ', '\t']) {
        Some((interpreter, argument)) => (interpreter, Some(argument.trim_start().to_owned())),
        None => (line, None),
    };
    let argument = argument.filter(|argument| !argument.is_empty());
    // The kernel refuses an empty line, and takes the file for no program.
    (!interpreter.is_empty())
        .then(|| Content::Script { interpreter: interpreter.to_owned(), argument })
}
