//! Variables that only a shell knows, in values that Docker's builders fill in without one.

use environment::{Code, Finding};

use super::verb::Verb;
use super::{Before, Step};
use crate::dockerfile::words;
use crate::found::Advice as _;

/// What a shell of root's has set, and what stands there.
const OF_A_SHELL: [(&str, &str); 5] = [
    ("HOME", "/root"),
    ("USER", "root"),
    ("LOGNAME", "root"),
    ("PWD", "/"),
    ("SHELL", "/bin/bash"),
];

/// Finds one in an `ENV` or `ARG` step, and keeps which names the step sets.
pub(super) fn check(step: &Step<'_>, before: &mut Before, findings: &mut Vec<Finding>) {
    if !matches!(step.verb, Verb::Env | Verb::Arg) {
        return;
    }
    let words = words(&step.instruction.arguments);
    let found = words.iter().find_map(|word| {
        OF_A_SHELL
            .iter()
            .filter(|(name, _)| !before.variables.iter().any(|set| set == name))
            .find_map(|(name, value)| Some((used(word, name)?, name, value)))
    });
    if let Some((written, name, value)) = found {
        let message = format!(
            "`{name}` is empty here unless the base sets it; the hosted builder lets a shell fill it in"
        );
        let finding = step.found_at(Code::StepEnvShellVariable, written, message);
        findings.push(finding.hint(format!("write `{value}`")));
    }
    // `ENV NAME value` is the old form.
    let first = words.first().filter(|word| step.verb == Verb::Env && !word.contains('='));
    let named = words.iter().filter_map(|word| word.split_once('=')).map(|(name, _)| name);
    before.variables.extend(named.chain(first.map(String::as_str)).map(str::to_owned));
}

/// How a word of a step uses the variable, where no quote or backslash makes text of it.
fn used<'n>(word: &str, name: &'n str) -> Option<&'n str> {
    if word.contains('\'') {
        return None;
    }
    word.match_indices('$').find_map(|(at, _)| {
        let escaped = word[..at].ends_with('\\');
        let behind = word[at + 1..].strip_prefix('{').unwrap_or(&word[at + 1..]);
        let rest = behind.strip_prefix(name)?;
        // `${HOME:-/root}` says itself what stands there.
        let ends = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':');
        (ends && !escaped).then_some(name)
    })
}
