//! Whether authored steps can be taken over byte for byte, and what the hosted builder does differently.
//!
//! A step that passes without an error is exactly one instruction for every builder, wherever it stands.

mod arguments;
mod commands;
mod copy;
mod expansion;
mod form;
mod hosted;
mod verb;

use environment::{Body, Dialect, Finding, ResolvedEnvironment, StageKind, Text};

use crate::dockerfile::Instruction;
use verb::Verb;

pub(crate) use commands::calls_sudo;

/// One step that was read.
struct Step<'a> {
    text: &'a Text,
    instruction: Instruction,
    verb: Verb,
}

/// What earlier steps left for later ones.
#[derive(Default)]
struct Before {
    /// A `SHELL` stands before: nobody knows which shell reads the text.
    shell_changed: bool,
    /// A step makes the session's account or its home itself, or was already found to rely on it.
    makes_user: bool,
    /// A step spoke of `sudo`: it installed it, looked for it, or was already found to call it.
    knows_sudo: bool,
    /// Variables that steps set.
    variables: Vec<String>,
}

/// Checks all steps, in order.
pub(crate) fn check(environment: &ResolvedEnvironment) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut before = Before::default();
    for stage in &environment.stages {
        let (StageKind::ImageInstruction, Body::Instruction { text }) = (stage.kind, &stage.body)
        else {
            continue;
        };
        let Some((instruction, verb)) = form::read(text, &mut findings) else { continue };
        let step = Step { text, instruction, verb };
        arguments::check(&step, &mut findings);
        // What the hosted builder does is known for one platform only.
        if environment.origin.dialect != Dialect::Auto {
            continue;
        }
        hosted::check(&step, &environment.accounts, &mut findings);
        expansion::check(&step, &mut before, &mut findings);
        commands::check(&step, &environment.accounts, &mut before, &mut findings);
        before.shell_changed |= verb == Verb::Shell;
    }
    findings
}

impl Step<'_> {
    /// A finding about the whole instruction.
    fn found(&self, code: environment::Code, message: String) -> Finding {
        let at = self.verb_at();
        crate::found::in_text(code, self.text, at, self.instruction.verb.len(), message)
    }

    /// A finding about the first place where `part` stands in the step.
    fn found_at(&self, code: environment::Code, part: &str, message: String) -> Finding {
        let behind = self.verb_at() + self.instruction.verb.len();
        let rest = self.text.value.get(behind..).unwrap_or_default();
        match rest.find(part) {
            Some(at) => crate::found::in_text(code, self.text, behind + at, part.len(), message),
            None => self.found(code, message),
        }
    }

    fn verb_at(&self) -> usize {
        let text = &self.text.value[self.instruction.start..];
        self.instruction.start + text.find(self.instruction.verb.as_str()).unwrap_or(0)
    }
}
