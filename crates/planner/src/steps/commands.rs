//! What the shell text of a `RUN` step relies on.

use environment::{Accounts, Code, Finding};

use super::verb::Verb;
use super::{Before, Step, form};
use crate::assemble::inside;
use crate::dockerfile::Json;
use crate::found::Advice as _;
use crate::shell::{self, Command, Failure, Script};

/// Finds commands that work on one of the two builders only.
pub(super) fn check(
    step: &Step<'_>,
    accounts: &Accounts,
    before: &mut Before,
    findings: &mut Vec<Finding>,
) {
    let arguments = step.instruction.arguments.as_str();
    let is_shell_text = step.verb == Verb::Run && form::json(step.verb, arguments) == Json::No;
    if !is_shell_text || !step.instruction.heredocs.is_empty() {
        return;
    }
    let script = shell::read(arguments);
    let commands = || script.commands.iter();
    if !before.shell_changed {
        findings.extend(bash(step, &script));
    }
    for command in commands() {
        if calls_sudo(command, &mut before.knows_sudo) {
            let message = "steps run as root, and the base image may not have `sudo`".to_owned();
            findings.push(step.found_at(Code::Sudo, "sudo", message).hint("remove `sudo`"));
        }
        before.makes_user |= makes_user(command, accounts);
        if let (false, Some(part)) = (before.makes_user, session_user(command, accounts)) {
            let message = format!("{part:?} exists only after the steps");
            findings.push(
                step.found_at(Code::StepSessionUser, &part, message).hint("do it in `setup`"),
            );
            // Once is enough.
            before.makes_user = true;
        }
    }
    if let Some(service) = commands().find(|command| starts_service(command)) {
        let message = "a service that is started here ends with this step".to_owned();
        findings.push(step.found_at(Code::StepService, service.name(), message));
    }
}

fn bash(step: &Step<'_>, script: &Script) -> Option<Finding> {
    let (what, at) = script.bash.first()?;
    let part = step.instruction.arguments.get(*at..).unwrap_or_default();
    let part = part.split_whitespace().next().unwrap_or_default();
    let message = format!("{what} is bash, and this build uses the image's `/bin/sh`");
    let hint = "write `RUN [\"/bin/bash\", \"-c\", \"…\"]`, or portable shell text";
    Some(step.found_at(Code::StepBash, part, message).hint(hint))
}

/// Whether this is the first call of `sudo`, and nothing before it looked for it or installed it.
pub(crate) fn calls_sudo(command: &Command, known: &mut bool) -> bool {
    let calls =
        command.name() == "sudo" && command.is_reached && command.failure != Failure::IsForgiven;
    let calls = calls && !*known;
    *known |= command.words.iter().any(|word| word.text.contains("sudo"));
    calls
}

/// Whether the account or its home is there from now on.
fn makes_user(command: &Command, accounts: &Accounts) -> bool {
    match command.name() {
        "useradd" | "adduser" => command.arguments().any(|word| word == accounts.session.value),
        "mkdir" | "install" => command.arguments().any(|word| inside(word, &accounts.home.value)),
        _ => false,
    }
}

/// The word that names the session's account or its home, where the command needs it to be there.
fn session_user(command: &Command, accounts: &Accounts) -> Option<String> {
    let user = accounts.session.value.as_str();
    let owner = |word: &&str| word.split(':').any(|name| name == user);
    let mut arguments = command.arguments();
    let named = match command.name() {
        "chown" => arguments.find(|word| !word.starts_with('-')).filter(owner),
        "su" | "runuser" | "gosu" | "usermod" | "passwd" => arguments.find(|word| *word == user),
        "cd" | "cp" | "mv" | "ln" | "touch" | "chmod" => {
            arguments.find(|word| inside(word, &accounts.home.value))
        }
        _ => None,
    };
    named
        .filter(|_| command.is_reached && command.failure != Failure::IsForgiven)
        .map(str::to_owned)
}

fn starts_service(command: &Command) -> bool {
    let starts = command.arguments().any(|word| matches!(word, "start" | "restart"));
    let manager = matches!(
        command.name(),
        "service" | "systemctl" | "rc-service" | "pg_ctlcluster" | "pg_ctl"
    );
    starts && (manager || command.name().starts_with("/etc/init.d/"))
}
