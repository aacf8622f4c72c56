//! Arguments and flags that every builder refuses before it runs anything.

use environment::{Code, Finding};

use super::verb::Verb;
use super::{Step, copy, form};
use crate::dockerfile::{Json, words};
use crate::found::Advice as _;

/// Finds what no builder takes, and JSON forms that builders read differently.
pub(super) fn check(step: &Step<'_>, findings: &mut Vec<Finding>) {
    let name = step.verb.name();
    for flag in &step.instruction.flags {
        let flag_name = flag.trim_start_matches('-').split('=').next().unwrap_or_default();
        if !flags(step.verb).contains(&flag_name) {
            let message = format!("`{name}` has no flag `--{}`", form::shorten(flag_name));
            findings.push(step.found_at(Code::StepMalformed, flag, message));
        }
    }
    findings.extend(json(step));
    if step.instruction.arguments.is_empty() {
        findings.push(step.found(Code::StepMalformed, format!("`{name}` without arguments")));
    } else {
        findings.extend(arguments(step));
    }
}

fn json(step: &Step<'_>) -> Option<Finding> {
    let name = step.verb.name();
    let arguments = step.instruction.arguments.as_str();
    let malformed = |message: String| Some(step.found(Code::StepMalformed, message));
    match form::json(step.verb, arguments) {
        Json::NotTexts => {
            malformed(format!("the array behind `{name}` holds something else than texts"))
        }
        Json::Texts(texts) if texts.is_empty() => {
            malformed(format!("the array behind `{name}` is empty"))
        }
        Json::TextsAndMore => {
            let message = "text stands behind the JSON array: Docker 20.10 ignores it, \
                           newer builders take all of it for shell text";
            Some(step.found_at(Code::StepJsonForm, "[", message.to_owned()))
        }
        Json::No if step.verb == Verb::Shell => {
            let message = "`SHELL` takes a JSON array".to_owned();
            malformed(message).map(|finding| finding.hint("write `SHELL [\"/bin/bash\", \"-c\"]`"))
        }
        // `[ -f x ]` is a command; `["x` is none.
        Json::No if arguments.starts_with("[\"") || arguments.starts_with("['") => {
            let message = "this is no JSON array, so that it is taken for shell text".to_owned();
            let hint = "use double quotes and commas: `[\"a\", \"b\"]`";
            Some(step.found_at(Code::StepJsonForm, "[", message).hint(hint))
        }
        Json::Texts(_) | Json::No => None,
    }
}

fn arguments(step: &Step<'_>) -> Option<Finding> {
    let arguments = step.instruction.arguments.as_str();
    match step.verb {
        Verb::Env | Verb::Label => pairs(step),
        Verb::Onbuild => {
            let trigger = arguments.split_whitespace().next().unwrap_or_default();
            let refused =
                matches!(trigger.parse(), Ok(Verb::Onbuild | Verb::From | Verb::Maintainer));
            refused.then(|| {
                step.found(Code::StepMalformed, format!("`ONBUILD {trigger}` is not allowed"))
            })
        }
        Verb::Copy | Verb::Add => (copy::paths(arguments).len() < 2).then(|| {
            let message = format!("`{}` takes a source and a destination", step.verb.name());
            step.found(Code::StepMalformed, message)
        }),
        Verb::Arg
        | Verb::Cmd
        | Verb::Entrypoint
        | Verb::Expose
        | Verb::From
        | Verb::Healthcheck
        | Verb::Maintainer
        | Verb::Run
        | Verb::Shell
        | Verb::StopSignal
        | Verb::User
        | Verb::Volume
        | Verb::Workdir => None,
    }
}

/// `NAME=value …`, or the old `NAME value`.
fn pairs(step: &Step<'_>) -> Option<Finding> {
    let arguments = &step.instruction.arguments;
    let words = words(arguments);
    let first = words.first()?;
    if !first.contains('=') {
        let complete = arguments.contains(char::is_whitespace);
        let message = format!("`{} {}` has no value", step.verb.name(), form::shorten(first));
        return (!complete).then(|| step.found_at(Code::StepMalformed, first, message));
    }
    let without = words.iter().find(|word| !word.contains('='))?;
    let message = format!("`{}` is not of the form `NAME=value`", form::shorten(without));
    let hint = "put a value with blanks into double quotes";
    Some(step.found_at(Code::StepMalformed, without, message).hint(hint))
}

/// The flags that some builder knows.
const fn flags(verb: Verb) -> &'static [&'static str] {
    match verb {
        Verb::Run => &["mount", "network", "security", "device"],
        Verb::Copy => &["chown", "chmod", "from", "link", "exclude", "parents"],
        Verb::Add => &["chown", "chmod", "link", "keep-git-dir", "checksum", "unpack", "exclude"],
        Verb::From => &["platform"],
        Verb::Healthcheck => &["interval", "timeout", "start-period", "start-interval", "retries"],
        Verb::Arg
        | Verb::Cmd
        | Verb::Entrypoint
        | Verb::Env
        | Verb::Expose
        | Verb::Label
        | Verb::Maintainer
        | Verb::Onbuild
        | Verb::Shell
        | Verb::StopSignal
        | Verb::User
        | Verb::Volume
        | Verb::Workdir => &[],
    }
}
