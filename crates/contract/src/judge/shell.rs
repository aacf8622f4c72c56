//! The shell that a `RUN` is handed to, and how it finds the commands of the probe.

use super::kernel::{self, Process, Refusal, Start};
use super::loader::Libc;
use crate::files::{Files, Trouble};
use crate::{Content, Elf, ImageConfig, Node, Program, Silence};

/// A shell that can run the probe's line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shell<'a> {
    /// One that gives a refused command another try in the next folder (dash).
    TriesOn,
    /// One that settles for the first executable file (bash, mksh).
    Settles,
    /// BusyBox, which may run its own commands before it looks at PATH.
    Busybox { program: &'a Elf, own_first: Option<bool> },
}

/// What comes of looking for the shell.
pub(super) enum FoundShell<'a> {
    /// It runs.
    Runs(Shell<'a>),
    /// It cannot: no line of the probe is ever read.
    Cannot(Silence, String),
    /// The files do not say.
    Unknown(String),
}

/// What comes of calling a command.
#[derive(Clone, Debug)]
pub(super) enum Command<'a> {
    /// It runs.
    Runs(Process<'a>),
    /// It runs inside BusyBox, which brings it.
    Applet,
    /// It does not, and the shell carries on with an empty answer.
    Fails(String),
    /// The files do not say.
    Unknown(String),
}

/// Flags that change nothing about how the probe's line runs.
const HARMLESS_FLAGS: &str = "ceux";

/// Finds the shell that the builder hands the line to.
pub(super) fn shell<'a>(files: &Files<'a>, config: &ImageConfig) -> FoundShell<'a> {
    let standard = ["/bin/sh".to_owned(), "-c".to_owned()];
    let argv: &[String] = if config.shell.is_empty() { &standard } else { &config.shell };
    let [program, flags @ ..] = argv else {
        return FoundShell::Unknown("the image's SHELL is empty".to_owned());
    };
    let own = if config.shell.is_empty() { "" } else { "the image's SHELL: " };
    if !flags_are_harmless(flags) {
        return FoundShell::Unknown(format!("the image's SHELL has flags {flags:?}"));
    }
    let started = if program.contains('/') {
        kernel::start(files, config, program)
    } else {
        start_from_path(files, config, program)
    };
    let process = match started {
        Start::Runs(process) => process,
        Start::Refused(Refusal::Loop, why) => {
            return FoundShell::Cannot(Silence::ShellLoop, format!("{own}{why}"));
        }
        Start::Refused(_, why) | Start::Dies(why) => {
            return FoundShell::Cannot(Silence::Shell, format!("{own}{why}"));
        }
        Start::Unknown(why) => return FoundShell::Unknown(format!("{own}{why}")),
    };
    if process.script.is_some() {
        return FoundShell::Unknown(format!("{program} is a script"));
    }
    if let Libc::MuslForGlibc = process.libc {
        return FoundShell::Unknown(format!("{program} was made for glibc and would run on musl"));
    }
    match &process.elf.program {
        Program::Dash => FoundShell::Runs(Shell::TriesOn),
        Program::Bash if startup_file(config, &process.name) => {
            FoundShell::Unknown("the image's BASH_ENV or exported functions change bash".to_owned())
        }
        Program::Bash | Program::Mksh => FoundShell::Runs(Shell::Settles),
        Program::Busybox { applets, .. } if !applets.contains(&process.name) => {
            let why = format!("{program} is a BusyBox without {}", process.name);
            FoundShell::Cannot(Silence::Shell, why)
        }
        Program::Busybox { version, .. } if matches!(process.name.as_str(), "sh" | "ash") => {
            FoundShell::Runs(Shell::Busybox {
                program: process.elf,
                own_first: runs_own_first(version, process.elf.loader.is_none()),
            })
        }
        _ => FoundShell::Unknown(format!("{program} is not a shell that we know")),
    }
}

/// Whether this BusyBox was built to run its own commands before it looks at PATH
/// (`FEATURE_SH_STANDALONE`); nothing in the file says so, so that only known builds count.
fn runs_own_first(version: &str, is_static: bool) -> Option<bool> {
    (version.contains("Debian") && is_static).then_some(true)
}

fn flags_are_harmless(flags: &[String]) -> bool {
    let mut rest = flags.iter();
    let mut takes_line = false;
    while let Some(flag) = rest.next() {
        let Some(letters) = flag.strip_prefix('-') else { return false };
        let (letters, option) = match letters.strip_suffix('o') {
            Some(letters) => (letters, rest.next().map(String::as_str)),
            None => (letters, Some("pipefail")),
        };
        if option != Some("pipefail") || letters.chars().any(|c| !HARMLESS_FLAGS.contains(c)) {
            return false;
        }
        takes_line |= letters.contains('c');
    }
    takes_line
}

fn startup_file(config: &ImageConfig, name: &str) -> bool {
    (name != "sh" && config.variable("BASH_ENV").is_some_and(|file| !file.is_empty()))
        || config.env.iter().any(|entry| entry.starts_with("BASH_FUNC_"))
}

/// How the engine itself looks for a program without a slash.
fn start_from_path<'a>(files: &Files<'a>, config: &ImageConfig, name: &str) -> Start<'a> {
    for folder in config.search_path() {
        let path = format!("{}/{name}", folder.trim_end_matches('/'));
        match executable(files, &path) {
            Ok(true) => return kernel::start(files, config, &path),
            Ok(false) => {}
            Err(trouble) => return Start::Unknown(trouble.reason()),
        }
    }
    Start::Refused(Refusal::NotFound, format!("{name} is not on PATH"))
}

impl<'a> Shell<'a> {
    /// Calls a command of the probe.
    pub(super) fn call(self, files: &Files<'a>, config: &ImageConfig, name: &str) -> Command<'a> {
        let Self::Busybox { program, own_first } = self else {
            return self.search(files, config, name);
        };
        let Program::Busybox { applets, .. } = &program.program else {
            return self.search(files, config, name);
        };
        match (applets.contains(name), own_first) {
            (false, _) | (true, Some(false)) => self.search(files, config, name),
            (true, Some(true)) => Command::Applet,
            // Either way the same: then it need not be known.
            (true, None) => match self.search(files, config, name) {
                Command::Runs(process) if process.elf.program == program.program => Command::Applet,
                Command::Runs(_) | Command::Applet => Command::Unknown(format!(
                    "{name} is on PATH and in this BusyBox, and the file does not say which is first"
                )),
                Command::Fails(why) => Command::Unknown(format!(
                    "{why}; whether this BusyBox runs its own {name} does not show in the file"
                )),
                unknown @ Command::Unknown(_) => unknown,
            },
        }
    }

    fn search(self, files: &Files<'a>, config: &ImageConfig, name: &str) -> Command<'a> {
        let mut why_not = None;
        for folder in config.search_path() {
            let path = format!("{}/{name}", folder.trim_end_matches('/'));
            match executable(files, &path) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(trouble) => return Command::Unknown(trouble.reason()),
            }
            match kernel::start(files, config, &path) {
                Start::Runs(process) => return Command::Runs(process),
                Start::Unknown(why) => return Command::Unknown(why),
                Start::Dies(why) => return Command::Fails(why),
                // Every shell hands a file that is no program to itself, as a script.
                Start::Refused(Refusal::Format, why) => return handed_to_itself(files, &path, why),
                Start::Refused(Refusal::NotFound | Refusal::Loop | Refusal::Access, why) => {
                    match self {
                        Self::Settles => return Command::Fails(why),
                        Self::TriesOn | Self::Busybox { .. } => {
                            why_not.get_or_insert(why);
                        }
                    }
                }
            }
        }
        Command::Fails(why_not.unwrap_or_else(|| format!("{name} is not on PATH")))
    }
}

/// Whether a shell would take this path for a command.
fn executable(files: &Files<'_>, path: &str) -> Result<bool, Trouble> {
    match files.find(path) {
        Ok((_, Node::File { mode, .. })) => Ok(mode & 0o111 != 0),
        Ok(_) | Err(Trouble::Missing(_) | Trouble::Loop(_)) => Ok(false),
        Err(unknown) => Err(unknown),
    }
}

fn handed_to_itself<'a>(files: &Files<'a>, path: &str, why: String) -> Command<'a> {
    match files.find(path) {
        Ok((_, Node::File { content: Content::Nothing, .. })) => {
            Command::Fails(format!("{path} is empty"))
        }
        Ok((_, Node::File { content: Content::Elf(_) | Content::LibraryCache { .. }, .. })) => {
            Command::Fails(why)
        }
        _ => Command::Unknown(format!("{path} is a script")),
    }
}
