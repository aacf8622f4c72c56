//! Instructions that the hosted builder treats differently from Docker, verb by verb.

use environment::{Accounts, Code, Finding};

use super::verb::Verb;
use super::{Step, copy};
use crate::dockerfile::words;
use crate::found::Advice as _;

/// Finds what fits the step's verb.
pub(super) fn check(step: &Step<'_>, accounts: &Accounts, findings: &mut Vec<Finding>) {
    let name = step.verb.name();
    let found = |code, message: &str| step.found(code, message.to_owned());
    match step.verb {
        Verb::Run => {
            findings.extend(step.instruction.flags.iter().filter_map(|flag| run_flag(step, flag)));
        }
        Verb::Copy | Verb::Add => findings.extend(copy::check(step)),
        Verb::From => {
            let hint = "name the image in `image`";
            findings
                .push(found(Code::StepFrom, "a second `FROM` in a single-stage build").hint(hint));
        }
        Verb::User => findings.extend(user(step, accounts)),
        Verb::Shell => {
            let message = "the hosted builder ignores `SHELL`, so that later steps run in another shell there";
            findings.push(found(Code::StepShell, message));
        }
        Verb::Cmd | Verb::Entrypoint => {
            let message = format!(
                "`{name}` has no effect here, and is a start command on the hosted builder"
            );
            findings.push(step.found(Code::StepStartCommand, message));
        }
        Verb::Workdir => {
            findings
                .push(found(Code::StepWorkdir, "later steps run in this folder; setup does not"));
        }
        Verb::Env => {
            findings.extend(path(step));
            findings.extend(substitution(step));
        }
        Verb::Arg => {
            let message = "the platform passes no build arguments; on the hosted builder this stays as a variable";
            findings.push(found(Code::StepArg, message));
            findings.extend(substitution(step));
        }
        Verb::Expose | Verb::Label | Verb::Healthcheck | Verb::StopSignal | Verb::Maintainer => {
            let message =
                format!("the hosted builder drops `{name}`, and a session does not use it");
            findings.push(step.found(Code::StepWithoutEffect, message));
        }
        Verb::Volume => {
            let message =
                "the hosted builder drops `VOLUME`; here later writes below it can get lost";
            findings.push(found(Code::StepVolume, message));
        }
        Verb::Onbuild => {
            let message = "`ONBUILD` acts on images built from this one, and there are none";
            findings.push(found(Code::StepOnbuild, message));
        }
    }
}

fn run_flag(step: &Step<'_>, flag: &str) -> Option<Finding> {
    let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
    match name {
        "--mount" => Some(mount(step, value)),
        "--network" | "--security" | "--device" => {
            let message = format!("`{name}` needs a newer BuildKit than Docker 20.10's");
            Some(step.found_at(Code::StepRunFlag, name, message))
        }
        // Unknown flags are an error of their own.
        _ => None,
    }
}

fn mount(step: &Step<'_>, value: &str) -> Finding {
    let field = |key: &str| {
        let named = |(name, _): &(&str, &str)| name.eq_ignore_ascii_case(key);
        value.split(',').filter_map(|field| field.split_once('=')).find(named)
    };
    let kind = field("type").map_or("bind", |(_, kind)| kind);
    if kind.eq_ignore_ascii_case("bind") && field("from").is_none() {
        let message = "a mount of the build context, and the platform has none".to_owned();
        let hint = "the checkout is in place when `setup` runs: do the work there";
        return step.found_at(Code::StepContextMount, "--mount", message).hint(hint);
    }
    let message =
        "`--mount` needs BuildKit, and whether the hosted builder knows it is not published";
    step.found_at(Code::StepMount, "--mount", message.to_owned())
}

fn user(step: &Step<'_>, accounts: &Accounts) -> Option<Finding> {
    let argument = step.instruction.arguments.trim_matches(['"', '\'']);
    let name = argument.split(':').next().unwrap_or_default();
    // Back to where the steps began.
    if name == "root" || name == "0" {
        return None;
    }
    if name == accounts.session.value {
        let message = format!("the account {argument:?} exists only after the steps");
        let finding = step.found_at(Code::StepSessionUser, argument, message);
        return Some(finding.hint("do it in `setup`"));
    }
    let message = format!("later steps run as {argument:?}");
    let hint = "for one command, write `RUN su -s /bin/sh NAME -c '…'`";
    Some(step.found(Code::StepUser, message).hint(hint))
}

fn path(step: &Step<'_>) -> Option<Finding> {
    let arguments = &step.instruction.arguments;
    let sets = words(arguments).iter().any(|word| word.starts_with("PATH="))
        || arguments.split_whitespace().next() == Some("PATH");
    sets.then(|| {
        let message = "login shells set `PATH` anew: setup does not see this, nor do hosted steps";
        let hint = "link the programs into `/usr/local/bin`";
        step.found_at(Code::StepEnvPath, "PATH", message.to_owned()).hint(hint)
    })
}

/// Command substitutions. Inside single quotes they are at least meant as text.
fn substitution(step: &Step<'_>) -> Option<Finding> {
    let words = words(&step.instruction.arguments);
    let unescaped = |word: &String, sign: &str| {
        word.split_once(sign).is_some_and(|(before, _)| !before.ends_with('\\'))
    };
    let sign = words
        .iter()
        .filter(|word| !word.contains('\''))
        .find_map(|word| ["$(", "`"].into_iter().find(|sign| unescaped(word, sign)))?;
    let name = step.verb.name();
    let message = format!("no builder runs commands in `{name}`: the variable gets this very text");
    Some(step.found_at(Code::StepEnvCommand, sign, message))
}
