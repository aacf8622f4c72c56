//! Starts a program as the kernel would: permission, format, `#!` line, loader.

use super::loader::{self, Libc};
use crate::files::{Files, Trouble};
use crate::{Content, Elf, ImageConfig, Machine, Node};

/// The kernel follows a chain of `#!` lines this far.
const MAX_SCRIPTS: u32 = 5;

/// A program that was started and whose libraries are all there.
#[derive(Clone, Debug)]
pub(super) struct Process<'a> {
    pub(super) elf: &'a Elf,
    /// The name by which it was called, without folders.
    pub(super) name: String,
    /// The script that it runs, with what its `#!` line gives as argument.
    pub(super) script: Option<Script<'a>>,
    /// The C library that it runs on.
    pub(super) libc: Libc<'a>,
}

/// A script that an interpreter runs.
#[derive(Clone, Debug)]
pub(super) struct Script<'a> {
    pub(super) path: String,
    pub(super) argument: Option<&'a str>,
}

/// What comes of starting a file.
#[derive(Clone, Debug)]
pub(super) enum Start<'a> {
    /// It runs.
    Runs(Process<'a>),
    /// The kernel says no.
    Refused(Refusal, String),
    /// It starts, and its loader ends it before its first line.
    Dies(String),
    /// The files do not say.
    Unknown(String),
}

/// How the kernel says no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// `ENOENT`, `ENOTDIR`.
    NotFound,
    /// `ELOOP`.
    Loop,
    /// `EACCES`.
    Access,
    /// `ENOEXEC`: neither a program of this machine nor a script.
    Format,
}

/// Starts `path`.
pub(super) fn start<'a>(files: &Files<'a>, config: &ImageConfig, path: &str) -> Start<'a> {
    start_within(files, config, path, 0)
}

fn start_within<'a>(
    files: &Files<'a>,
    config: &ImageConfig,
    path: &str,
    scripts: u32,
) -> Start<'a> {
    let (real, node) = match files.find(path) {
        Ok(found) => found,
        Err(trouble) => return refused(&trouble),
    };
    let Node::File { mode, content, .. } = node else {
        return Start::Refused(Refusal::Access, format!("{path} is not a file"));
    };
    // Root may read anything, but it too can only start what somebody may start.
    if mode & 0o111 == 0 {
        return Start::Refused(Refusal::Access, format!("{path} is not executable"));
    }
    match content {
        Content::Elf(elf) => start_elf(files, config, path, &real, elf),
        Content::Script { interpreter, argument } => {
            if scripts >= MAX_SCRIPTS {
                return Start::Refused(Refusal::NotFound, format!("{path} is a script of scripts"));
            }
            match start_within(files, config, &absolute(config, interpreter), scripts + 1) {
                Start::Runs(process) => Start::Runs(Process {
                    script: Some(Script { path: path.to_owned(), argument: argument.as_deref() }),
                    ..process
                }),
                Start::Refused(refusal, why) => {
                    Start::Refused(refusal, format!("{path} is a script: {why}"))
                }
                Start::Dies(why) => Start::Dies(format!("{path} is a script: {why}")),
                unknown @ Start::Unknown(_) => unknown,
            }
        }
        Content::Unread { why } => Start::Unknown(format!("{path}: {why}")),
        Content::Nothing | Content::Text { .. } | Content::LibraryCache { .. } | Content::Data => {
            Start::Refused(Refusal::Format, format!("{path} is neither a program nor a script"))
        }
    }
}

fn start_elf<'a>(
    files: &Files<'a>,
    config: &ImageConfig,
    path: &str,
    real: &str,
    elf: &'a Elf,
) -> Start<'a> {
    match &elf.machine {
        Machine::X86_64 if elf.loadable => {}
        Machine::X86_64 => {
            return Start::Refused(Refusal::Format, format!("{path} is not a program"));
        }
        Machine::X86_32 => {
            return Start::Unknown(format!(
                "{path} is a 32-bit program, which some kernels run and some do not"
            ));
        }
        Machine::Other(machine) => {
            return Start::Refused(Refusal::Format, format!("{path} is a program for {machine}"));
        }
    }
    let name = path.rsplit('/').next().unwrap_or(path).to_owned();
    let run = |libc| Start::Runs(Process { elf, name, script: None, libc });
    let Some(loader) = &elf.loader else { return run(Libc::None) };
    let loader = absolute(config, loader);
    match files.find(&loader) {
        Ok((_, Node::File { mode, .. })) if mode & 0o111 == 0 => {
            let why = format!("the loader {loader} of {path} is not executable");
            Start::Refused(Refusal::Access, why)
        }
        Ok((at, Node::File { content: Content::Elf(found), .. }))
            if found.machine == Machine::X86_64 && found.loadable =>
        {
            match loader::link(files, config, (real, elf), (&at, found)) {
                loader::Linked::Fine(libc) => run(libc),
                loader::Linked::Broken(why) => Start::Dies(format!("{path} {why}")),
                loader::Linked::Unknown(why) => Start::Unknown(format!("{path}: {why}")),
            }
        }
        Ok((_, Node::File { content: Content::Unread { why }, .. })) => {
            Start::Unknown(format!("the loader {loader} of {path}: {why}"))
        }
        Ok(_) => Start::Refused(
            Refusal::Format,
            format!("the loader {loader} of {path} is not a program of this machine"),
        ),
        Err(trouble) => match refused(&trouble) {
            Start::Refused(refusal, why) => {
                Start::Refused(refusal, format!("{path} needs its loader, and {why}"))
            }
            other => other,
        },
    }
}

fn refused<'a>(trouble: &Trouble) -> Start<'a> {
    match trouble {
        Trouble::Outside(_) | Trouble::Unread(_) => Start::Unknown(trouble.reason()),
        Trouble::Loop(_) => Start::Refused(Refusal::Loop, trouble.reason()),
        Trouble::Missing(_) => Start::Refused(Refusal::NotFound, trouble.reason()),
    }
}

/// A path as seen from the folder in which the probe runs.
fn absolute(config: &ImageConfig, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", config.working_dir) }
}
