//! Setup commands that cannot be handed over, or that rely on what is not here.

use environment::{Account, Body, Code, Finding, ResolvedEnvironment, Stage, StageKind, Text};

use crate::Plan;
use crate::assemble::place_of;
use crate::found::{Advice as _, at_place, in_text};
use crate::script::{self, ARGUMENT_BYTES};
use crate::session::exported;
use crate::shell::{self, Command, Failure};
use crate::steps::calls_sudo;

/// Checks every setup entry.
pub(super) fn check(environment: &ResolvedEnvironment, plan: &Plan, findings: &mut Vec<Finding>) {
    // A step that installs `sudo` knows what it does.
    let mut knows_sudo = environment.stages.iter().any(|stage| match &stage.body {
        Body::Instruction { text } => text.value.contains("sudo") && text.value.contains("install"),
        Body::Platform | Body::Commands { .. } | Body::Packages { .. } => false,
    });
    for stage in environment.stages.iter().filter(|stage| stage.kind == StageKind::Script) {
        let Body::Commands { commands } = &stage.body else { continue };
        findings.extend(too_long(stage, plan, commands));
        // What leaves the checkout, or makes another repository, decides what a later command reads.
        let mut elsewhere = false;
        for text in commands {
            if let Some(at) = text.value.find('\0') {
                let message = "this command holds a NUL".to_owned();
                findings.push(in_text(Code::SetupControlCharacter, text, at, 1, message));
            }
            for command in shell::read(&text.value).commands {
                if stage.user == Account::Session && calls_sudo(&command, &mut knows_sudo) {
                    findings.push(sudo(text, &command));
                }
                elsewhere |= leaves_the_checkout(&command);
                if !elsewhere && reads_git(&command) {
                    findings.push(no_git(text, &command));
                    elsewhere = true;
                }
            }
        }
    }
}

fn too_long(stage: &Stage, plan: &Plan, commands: &[Text]) -> Option<Finding> {
    let bytes = script::text(stage.prelude.as_deref(), &exported(&plan.variables), commands).len();
    (bytes > ARGUMENT_BYTES).then(|| {
        let place = stage.name.as_ref().and_then(|name| place_of(&name.basis));
        let message =
            format!("{bytes} bytes of commands; more than {ARGUMENT_BYTES} cannot be run");
        at_place(Code::SetupTooLong, place, message)
            .hint("put them into a script of the repository")
    })
}

fn sudo(text: &Text, command: &Command) -> Finding {
    let message = "`sudo` is not in every base image, and nothing documents that setup may use it";
    let finding = in_text(Code::Sudo, text, command.at(), 4, message.to_owned());
    finding.hint("move what needs root to a step")
}

fn no_git(text: &Text, command: &Command) -> Finding {
    let message = "this reads `.git`, which the checkout here does not have".to_owned();
    let hint = "let it fail softly, or run it only if `.git` is there";
    in_text(Code::NoGitDirectory, text, command.at(), command.name().len(), message).hint(hint)
}

fn leaves_the_checkout(command: &Command) -> bool {
    match command.name() {
        "cd" | "pushd" => true,
        "git" => command.arguments().any(|word| matches!(word, "init" | "clone")),
        _ => false,
    }
}

/// Only what fails without a repository, whatever else is there.
fn reads_git(command: &Command) -> bool {
    if !command.is_reached || command.failure != Failure::Stops {
        return false;
    }
    let first = command.arguments().next().unwrap_or_default();
    match command.name() {
        "git" => match first {
            "lfs" => command.arguments().nth(1) != Some("install"),
            "describe" | "rev-parse" | "rev-list" | "log" | "show" | "status" | "submodule"
            | "fetch" | "pull" | "checkout" | "switch" | "branch" | "tag" | "ls-files" => true,
            _ => false,
        },
        "pre-commit" | "lefthook" => first == "install",
        _ => false,
    }
}
