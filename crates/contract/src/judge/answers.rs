//! What the commands of the probe print.

use super::kernel::Process;
use super::loader::Libc;
use super::shell::Command;
use crate::Program;

/// What a command prints on its standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// This line.
    Line(String),
    /// Nothing, and why.
    Nothing(String),
    /// The files do not say.
    Unknown(String),
}

/// What `id`, `uname` or `mkdir` say when they are what their names promise: `honest`.
pub(super) fn says(called: Command<'_>, command: &str, honest: &str) -> Says {
    let process = match called {
        Command::Applet => return Says::Line(honest.to_owned()),
        Command::Fails(why) => return Says::Nothing(why),
        Command::Unknown(why) => return Says::Unknown(why),
        Command::Runs(process) => process,
    };
    let name = match asked_name(&process) {
        Ok(name) => name,
        Err(script) => return Says::Unknown(script),
    };
    if let Libc::MuslForGlibc = process.libc {
        return Says::Unknown(format!("{name} was made for glibc and would run on musl"));
    }
    let unknown =
        || Says::Unknown(format!("{name} is not the `{command}` of a package that we know"));
    match &process.elf.program {
        Program::Coreutils { command: it } if it == command => Says::Line(honest.to_owned()),
        Program::CoreutilsAll if name == command => Says::Line(honest.to_owned()),
        Program::Busybox { applets, .. } | Program::Toybox { applets, .. } => {
            if name != command {
                unknown()
            } else if applets.contains(name) {
                Says::Line(honest.to_owned())
            } else {
                Says::Nothing(format!("{name} is a link to a program that does not bring it"))
            }
        }
        _ => unknown(),
    }
}

/// What `getconf GNU_LIBC_VERSION` says.
pub(super) fn libc_version(called: Command<'_>) -> Says {
    let process = match called {
        Command::Applet => return Says::Unknown("getconf is built into the shell".to_owned()),
        Command::Fails(why) => return Says::Nothing(why),
        Command::Unknown(why) => return Says::Unknown(why),
        Command::Runs(process) => process,
    };
    if let Err(script) = asked_name(&process) {
        return Says::Unknown(script);
    }
    match (&process.elf.program, process.libc) {
        (Program::Getconf { knows_glibc: true }, Libc::Glibc(answer)) => {
            Says::Line(answer.to_owned())
        }
        (Program::Getconf { .. }, Libc::Musl | Libc::MuslForGlibc) => {
            Says::Nothing("getconf runs on musl, not on glibc".to_owned())
        }
        (Program::Getconf { knows_glibc: false }, _) => {
            Says::Nothing("this getconf does not know GNU_LIBC_VERSION".to_owned())
        }
        (Program::Toybox { applets, knows_glibc: false }, _) if applets.contains(&process.name) => {
            Says::Nothing("toybox's getconf does not know GNU_LIBC_VERSION".to_owned())
        }
        (Program::Busybox { applets, .. } | Program::Toybox { applets, .. }, _)
            if !applets.contains(&process.name) =>
        {
            Says::Nothing("getconf is a link to a program that does not bring it".to_owned())
        }
        _ => Says::Unknown("getconf is not one that we know".to_owned()),
    }
}

/// The name by which a program of many commands tells which one is meant.
fn asked_name<'p>(process: &'p Process<'_>) -> Result<&'p str, String> {
    let Some(script) = &process.script else { return Ok(&process.name) };
    match (&process.elf.program, script.argument) {
        (Program::CoreutilsAll, Some(argument)) => argument
            .strip_prefix("--coreutils-prog-shebang=")
            .ok_or_else(|| format!("{} is a script", script.path)),
        _ => Err(format!("{} is a script", script.path)),
    }
}
