//! Facts to a verdict: as the builder, the kernel and the shell would go through the probe.

mod accounts;
mod answers;
mod kernel;
mod loader;
mod shell;

use crate::files::{Files, Trouble};
use accounts::RootAccount;
use answers::{Says, libc_version, says};
use shell::FoundShell;

use crate::{
    Answer, Check, CheckAnswer, CheckResult, ContractVerdict, ImageFacts, Level, Marker, Node,
    Silence,
};

/// Who runs the Dockerfile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Builder {
    Buildkit,
    Classic,
}

/// The loaders that the probe asks for, in its order.
const LOADERS: [&str; 2] =
    ["/lib64/ld-linux-x86-64.so.2", "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"];
/// `ONBUILD` triggers that change nothing about the probe.
const HARMLESS_TRIGGERS: [&str; 8] =
    ["ARG", "CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER", "STOPSIGNAL"];

/// Says what the probe would say.
///
/// Never guesses: where the files do not decide, a check is [`CheckResult::Unknown`] with the reason.
/// What had to be asked and had not been read is in [`ContractVerdict::unread`]; once those paths are
/// in the facts, ask again.
#[must_use]
pub fn judge(facts: &ImageFacts) -> ContractVerdict {
    if let Some(verdict) = wrong_platform(facts) {
        return verdict;
    }
    let files = Files::new(facts);
    let buildkit = Trial::new(facts, &files, Builder::Buildkit);
    let classic = Trial::new(facts, &files, Builder::Classic);
    let (answer, other) = (buildkit.answer(), classic.answer());
    let checks = buildkit.checks;
    ContractVerdict {
        level: Level::Read,
        classic: (other != answer).then_some(other),
        answer,
        checks,
        unread: files.into_unread(),
    }
}

/// One builder's way through the probe.
struct Trial {
    checks: Vec<CheckAnswer>,
    /// What ends the build before the probe can print anything.
    before: Option<Before>,
    /// What comes of the probe's work behind its checks.
    after: Says,
}

/// What comes before the probe.
enum Before {
    /// The build ends.
    Stops(Silence, String),
    /// The files do not say.
    Unknown(String),
}

impl Trial {
    fn new(facts: &ImageFacts, files: &Files<'_>, builder: Builder) -> Self {
        let config = &facts.config;
        let account = accounts::root_account(files, builder);
        let shell = shell::shell(files, config);
        let mut before = match &shell {
            FoundShell::Runs(_) => None,
            FoundShell::Cannot(cause, why) => Some(Before::Stops(*cause, why.clone())),
            FoundShell::Unknown(why) => Some(Before::Unknown(why.clone())),
        };
        let uid = match account {
            RootAccount::Uid(uid) => uid.to_string(),
            RootAccount::Stops(cause, why) => {
                before = Some(Before::Stops(cause, why));
                String::new()
            }
            RootAccount::Unknown(why) => {
                before.get_or_insert(Before::Unknown(why));
                String::new()
            }
        };
        if let Some(trigger) = harmful_trigger(facts) {
            before = Some(Before::Unknown(format!(
                "ONBUILD {trigger} runs before the probe and may change anything"
            )));
        }
        let shell = match shell {
            FoundShell::Runs(shell) => Some(shell),
            FoundShell::Cannot(..) | FoundShell::Unknown(_) => None,
        };
        let say = |command: &str, honest: &str| match (shell, &before) {
            (Some(shell), None) => says(shell.call(files, config, command), command, honest),
            _ => Says::Unknown("the probe's shell does not get that far".to_owned()),
        };
        let id = say("id", &uid);
        let (os, machine) = (say("uname", "Linux"), say("uname", "x86_64"));
        let version = match (shell, &before) {
            (Some(shell), None) => libc_version(shell.call(files, config, "getconf")),
            _ => Says::Unknown("the probe's shell does not get that far".to_owned()),
        };
        let checks = vec![
            line(Check::Root, &id, "id -u", |uid| uid == "0"),
            line(Check::Os, &os, "uname -s", |os| os == "Linux"),
            line(Check::Arch, &machine, "uname -m", |machine| machine == "x86_64"),
            loader_check(files),
            line(Check::Glibc, &version, "getconf GNU_LIBC_VERSION", is_new_enough),
        ];
        let after = match say("mkdir", "") {
            Says::Line(_) => folder_can_be_made(files),
            Says::Nothing(why) => {
                Says::Nothing(format!("its checks pass, then mkdir fails: {why}"))
            }
            unknown @ Says::Unknown(_) => unknown,
        };
        Self { checks, before, after }
    }

    fn answer(&self) -> Answer {
        let refused = self.checks.iter().any(|check| check.result == CheckResult::Fail);
        match &self.before {
            Some(Before::Stops(cause, reason)) => {
                return Answer::Silent { cause: *cause, reason: reason.clone() };
            }
            Some(Before::Unknown(reason)) => {
                return Answer::Unreadable { reason: reason.clone(), refused: false };
            }
            None => {}
        }
        for CheckAnswer { check, result, reason } in &self.checks {
            let reason = reason.clone().unwrap_or_default();
            match result {
                CheckResult::Pass => {}
                CheckResult::Fail => {
                    let marker = Marker(*check).to_string();
                    return Answer::Refused { check: *check, marker, reason };
                }
                CheckResult::Unknown => return Answer::Unreadable { reason, refused },
            }
        }
        match &self.after {
            Says::Line(_) => Answer::Accepted,
            Says::Nothing(reason) => {
                Answer::Silent { cause: Silence::BehindChecks, reason: reason.clone() }
            }
            Says::Unknown(reason) => Answer::Unreadable { reason: reason.clone(), refused: false },
        }
    }
}

fn line(check: Check, says: &Says, asked: &str, passes: impl Fn(&str) -> bool) -> CheckAnswer {
    let (result, reason) = match says {
        Says::Line(line) if passes(line) => (CheckResult::Pass, None),
        Says::Line(line) => (CheckResult::Fail, Some(format!("{asked} says {line:?}"))),
        Says::Nothing(why) => (CheckResult::Fail, Some(format!("{asked} says nothing: {why}"))),
        Says::Unknown(why) => (CheckResult::Unknown, Some(why.clone())),
    };
    CheckAnswer { check, result, reason }
}

fn loader_check(files: &Files<'_>) -> CheckAnswer {
    let mut result = CheckResult::Fail;
    let mut reason = Some(format!("neither {} nor {} exists", LOADERS[0], LOADERS[1]));
    for path in LOADERS {
        match files.exists(path) {
            Ok(true) => {
                (result, reason) = (CheckResult::Pass, None);
                break;
            }
            Ok(false) => {}
            Err(trouble) => {
                (result, reason) = (CheckResult::Unknown, Some(trouble.reason()));
                break;
            }
        }
    }
    CheckAnswer { check: Check::GlibcLoader, result, reason }
}

/// The probe's own reading of a version: two numbers behind `glibc `, at least 2.28.
fn is_new_enough(line: &str) -> bool {
    let number = |text: &str| -> Option<u64> {
        text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
    };
    let parsed = line.strip_prefix("glibc ").and_then(|version| {
        let (major, rest) = version.split_once('.')?;
        Some((number(major)?, number(rest.split('.').next()?)?))
    });
    parsed.is_some_and(|version| version >= (2, 28))
}

/// Behind its checks the probe makes `/opt/auto` and writes `probe.env` there.
fn folder_can_be_made(files: &Files<'_>) -> Says {
    for (path, wants_folder) in
        [("/opt", true), ("/opt/auto", true), ("/opt/auto/probe.env", false)]
    {
        match files.find(path) {
            Ok((_, Node::Directory)) if wants_folder => {}
            Ok((_, Node::Directory)) => {
                return Says::Nothing(format!("its checks pass, but {path} is a folder"));
            }
            Ok(_) if wants_folder => {
                return Says::Nothing(format!("its checks pass, but {path} is no folder"));
            }
            Err(Trouble::Missing(missing)) if missing == path => break,
            Err(Trouble::Missing(_) | Trouble::Loop(_)) if wants_folder => {
                return Says::Nothing(format!("its checks pass, but {path} leads nowhere"));
            }
            Ok(_) | Err(Trouble::Missing(_)) => {}
            Err(trouble) => return Says::Unknown(trouble.reason()),
        }
    }
    Says::Line(String::new())
}

fn harmful_trigger(facts: &ImageFacts) -> Option<&str> {
    facts.config.on_build.iter().map(|trigger| trigger.trim()).find(|trigger| {
        let word = trigger.split_whitespace().next().unwrap_or("").to_ascii_uppercase();
        !HARMLESS_TRIGGERS.contains(&word.as_str())
    })
}

/// An image for another platform: decided by what it says of itself, whatever its files are.
fn wrong_platform(facts: &ImageFacts) -> Option<ContractVerdict> {
    let platform = &facts.platform;
    let (os, architecture) = (platform.os == "linux", platform.architecture == "amd64");
    if os && architecture {
        return None;
    }
    let said = format!("the image is for {}/{}", platform.os, platform.architecture);
    let checks = Check::ALL.map(|check| {
        let (result, reason) = match check {
            Check::Os if !os => (CheckResult::Fail, said.clone()),
            Check::Arch if !architecture => (CheckResult::Fail, said.clone()),
            _ => (CheckResult::Unknown, "nothing of the image was read".to_owned()),
        };
        CheckAnswer { check, result, reason: Some(reason) }
    });
    Some(ContractVerdict {
        level: Level::Predicted,
        answer: Answer::Silent {
            cause: Silence::Platform,
            reason: format!("{said}: on linux/amd64 nothing in it runs unless it is emulated"),
        },
        classic: None,
        checks: checks.into(),
        unread: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_is_asked_for_and_never_guessed() {
        let verdict = judge(&ImageFacts::default());
        assert!(matches!(verdict.answer, Answer::Unreadable { refused: false, .. }));
        assert!(verdict.checks.iter().all(|check| check.result == CheckResult::Unknown));
        for path in ["/bin", "/etc", "/lib64"] {
            assert!(verdict.unread.iter().any(|unread| unread == path), "{path}: {verdict:?}");
        }
    }

    #[test]
    fn a_version_is_read_as_the_probe_reads_it() {
        for (line, passes) in [
            ("glibc 2.28", true),
            ("glibc 2.36", true),
            ("glibc 2.36.1", true),
            ("glibc 3.0", true),
            ("glibc 2.27", false),
            ("glibc 2.x", false),
            ("glibc 2", false),
            ("musl 1.2.5", false),
            ("", false),
        ] {
            assert_eq!(is_new_enough(line), passes, "{line}");
        }
    }
}
