//! Which program an ELF file is: told by texts that stand in it.

use std::collections::BTreeSet;

use contract::{Elf, Program};
use memchr::memmem;

/// Commands whose presence in a program of many commands counts.
const ASKED: [&str; 12] = [
    "sh", "ash", "id", "uname", "getconf", "mkdir", "git", "bash", "useradd", "apt-get", "adduser",
    "cat",
];

/// A program, and texts that all stand in it and together in no other.
struct Mark {
    texts: &'static [&'static [u8]],
    program: fn() -> Program,
}

/// Read on the builds of Debian bookworm, trixie and sid, busybox 1.35 to 1.37, toybox 0.8.9, musl 1.2.
const MARKS: [Mark; 7] = [
    Mark { texts: &[b"@(#)Bash version "], program: || Program::Bash },
    Mark { texts: &[b"@(#)MIRBSD KSH R"], program: || Program::Mksh },
    Mark {
        texts: &[b"GNU coreutils", b"coreutils-prog-shebang="],
        program: || Program::CoreutilsAll,
    },
    Mark {
        texts: &[b"GNU coreutils", b"print only the effective user ID"],
        program: || Program::Coreutils { command: "id".to_owned() },
    },
    Mark {
        texts: &[b"GNU coreutils", b"print the kernel name", b"print the machine hardware name"],
        program: || Program::Coreutils { command: "uname".to_owned() },
    },
    Mark {
        texts: &[b"GNU coreutils", b"no error if existing, make parent directories as needed"],
        program: || Program::Coreutils { command: "mkdir".to_owned() },
    },
    Mark {
        texts: &[b"parameter not set\0", b"%s unexpected (expecting %s)", b"Illegal option -%c"],
        program: || Program::Dash,
    },
];

/// Tells which program it is.
pub(super) fn identify(bytes: &[u8], elf: &Elf) -> Program {
    let has = |text: &[u8]| memmem::find(bytes, text).is_some();
    if let Some(version) = line_after(bytes, b"BusyBox v") {
        return Program::Busybox { version, applets: applets(bytes, b"[\0[[\0") };
    }
    if has(b"toybox ") && has(b"multicall") {
        // Built without its help, it does not show what it brings.
        if !has(b"usage: toybox") {
            return Program::Unknown;
        }
        let knows_glibc = has(b"GNU_LIBC_VERSION\0");
        return Program::Toybox { applets: helped(bytes), knows_glibc };
    }
    if has(b"musl libc (x86_64)") {
        return Program::Musl;
    }
    // What `confstr` answers stands in the library as it is.
    if elf.version_defs.contains("GLIBC_2.2.5")
        && has(b"GNU C Library (")
        && let Some(answer) = answer(bytes)
    {
        return Program::Glibc { answer };
    }
    if has(b"/etc/ld.so.cache\0") && has(b"/etc/ld.so.preload\0") && elf.loader.is_none() {
        return Program::GlibcLoader { version: release(bytes), folders: folders(bytes) };
    }
    if let Some(knows_glibc) = getconf(bytes) {
        return Program::Getconf { knows_glibc };
    }
    let all = |mark: &&Mark| mark.texts.iter().all(|text| has(text));
    MARKS.iter().find(all).map_or(Program::Unknown, |mark| (mark.program)())
}

/// `glibc 2.36`, standing alone.
fn answer(bytes: &[u8]) -> Option<String> {
    memmem::find_iter(bytes, b"\0glibc ").find_map(|at| {
        let text = &bytes[at + 1..];
        let text = &text[..memchr::memchr(0, text)?];
        let version = text.strip_prefix(b"glibc ")?;
        let digits = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        (!version.is_empty() && version.iter().all(digits))
            .then(|| String::from_utf8_lossy(text).into_owned())
    })
}

/// `2.36` out of `stable release version 2.36.`
fn release(bytes: &[u8]) -> Option<String> {
    let text = line_after(bytes, b"release version ")?;
    let version = text.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    let version = version.trim_end_matches('.');
    (!version.is_empty()).then(|| version.to_owned())
}

/// The folders that are built into glibc's loader: texts side by side, each with a slash at both ends.
fn folders(bytes: &[u8]) -> Vec<String> {
    let starts: [&[u8]; 3] = [b"\0/lib/x86_64-linux-gnu/\0", b"\0/lib64/\0", b"\0/lib/\0"];
    let Some(at) = starts.iter().find_map(|start| memmem::find(bytes, start)) else {
        return Vec::new();
    };
    bytes[at + 1..]
        .split(|&byte| byte == 0)
        .take_while(|text| text.first() == Some(&b'/') && text.last() == Some(&b'/'))
        .take(16)
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

/// Whether it is a `getconf`, and whether it knows the name that the probe asks for.
fn getconf(bytes: &[u8]) -> Option<bool> {
    let has = |text: &[u8]| memmem::find(bytes, text).is_some();
    (has(b"_POSIX_V6_ILP32_OFF32") && has(b"CHILD_MAX") && has(b"PATH_MAX"))
        .then(|| has(b"GNU_LIBC_VERSION\0"))
}

/// The commands of a program of many, out of its sorted list of names.
fn applets(bytes: &[u8], first: &[u8]) -> BTreeSet<String> {
    let Some(at) = memmem::find(bytes, first) else { return BTreeSet::new() };
    let names = bytes[at..].split(|&byte| byte == 0);
    let mut last: &[u8] = b"";
    let sorted = names.take_while(|name| {
        let later = *name > last && name.iter().all(u8::is_ascii_graphic);
        last = name;
        later
    });
    sorted
        .filter_map(|name| std::str::from_utf8(name).ok())
        .filter(|name| ASKED.contains(name))
        .map(str::to_owned)
        .collect()
}

/// The commands that a program of many has a help text for. Toybox's list of names cannot be told
/// apart: where one is the end of another word, the linker keeps it only there.
fn helped(bytes: &[u8]) -> BTreeSet<String> {
    let has_help = |name: &&&str| {
        let usage = format!("usage: {name}");
        memmem::find_iter(bytes, &usage).any(|at| {
            bytes.get(at + usage.len()).is_some_and(|&next| matches!(next, b' ' | b'\n' | 0))
        })
    };
    ASKED.iter().filter(has_help).map(|name| (*name).to_owned()).collect()
}

/// The text from a mark to the end of its line.
fn line_after(bytes: &[u8], mark: &[u8]) -> Option<String> {
    let text = &bytes[memmem::find(bytes, mark)? + mark.len()..];
    let text = &text[..text.len().min(128)];
    let end = memchr::memchr2(0, b'\n', text)?;
    Some(String::from_utf8_lossy(&text[..end]).into_owned())
}
