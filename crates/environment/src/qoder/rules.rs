//! What the table of fields cannot say.

use crate::Code;
use crate::check::at;
use crate::fault::Fault;
use crate::standalone::definition::Definition;
use crate::standalone::rules;

/// The limit of `setup_script`, in bytes: "64 KB", read as 1,024 bytes each.
const SCRIPT_BYTES: usize = 64 << 10;
/// The limit that the CN edition's page gives, in characters.
const SCRIPT_CHARS: usize = 10_000;

pub(super) fn check(definition: &mut Definition<'_>, is_forward: bool) {
    name(definition);
    let kept: &[&str] = if is_forward { &["type", "setup_script"] } else { &["type"] };
    rules::self_hosted(definition, kept);
    rules::hosts(definition, Code::NetworkHostDoubtful);
    for manager in ["cargo", "gem", "go"] {
        let path = ["config", "packages", manager];
        if definition.items(&path).is_empty() {
            continue;
        }
        let Some(entry) = definition.entry(&path) else { continue };
        let message =
            format!("the platform keeps `packages.{manager}` and installs nothing from it");
        let fault = Fault::new(Code::PackageManager, entry.key.span, message)
            .expected("`apt`, `npm` or `pip`")
            .hint("install these packages in `setup_script`");
        definition.push(fault);
    }
    script(definition);
}

/// A body that updates an environment holds the config alone; whatever has more is a whole one.
fn name(definition: &mut Definition<'_>) {
    let update = definition.map.entries().iter().all(|entry| &*entry.key.text == "config");
    if definition.map.get("name").is_none() && !update {
        let fault =
            Fault::new(Code::MissingField, definition.span(), "`environment` has no `name`");
        definition.push(fault.expected("`name`: the environment's name; needed to create one"));
    }
}

fn script(definition: &mut Definition<'_>) {
    let Some(entry) = definition.entry(&["config", "setup_script"]) else { return };
    let Some(text) = entry.value.as_text() else { return };
    let (bytes, characters) = (text.len(), text.chars().count());
    let span = at(entry);
    if bytes > SCRIPT_BYTES {
        let message = format!("`config.setup_script` has {bytes} bytes");
        let fault = Fault::new(Code::ScriptTooLong, span, message);
        definition.push(fault.expected(format!("at most {SCRIPT_BYTES}")));
    } else if characters > SCRIPT_CHARS {
        let message = format!("`config.setup_script` has {characters} characters");
        let fault = Fault::new(Code::ScriptLong, span, message);
        definition.push(fault.expected(format!("at most {SCRIPT_CHARS}, to be safe")));
    }
    if text.starts_with("#!") {
        let message = "the first line is a comment for `/bin/bash -lc`";
        definition.push(Fault::new(Code::ScriptShebang, span, message));
    }
    if continues_after_failure(text) {
        let message = "a command that fails does not end the script";
        let fault = Fault::new(Code::ScriptContinues, span, message);
        definition.push(fault.hint("write `set -euo pipefail` as its first line"));
    }
}

/// Whether a script of several commands never asks the shell to stop at a failure.
fn continues_after_failure(text: &str) -> bool {
    let commands = || {
        let lines = text.lines().map(str::trim);
        lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
    };
    let stops = |line: &str| {
        line.split([';', '&']).map(str::trim).any(|command| {
            let flags = command.strip_prefix("set -").unwrap_or_default();
            let short = flags.split_whitespace().next().unwrap_or_default();
            flags.contains("errexit") || (short.contains('e') && !short.starts_with('-'))
        })
    };
    commands().count() > 1 && !commands().any(stops)
}

#[cfg(test)]
mod tests {
    use super::continues_after_failure;

    #[test]
    fn several_commands_need_errexit() {
        for good in [
            "make",
            "set -e\na\nb",
            "set -euo pipefail; a\nb",
            "set -o errexit\na\nb",
            "# x\n\nmake",
        ] {
            assert!(!continues_after_failure(good), "{good}");
        }
        for bad in ["a\nb", "set -x\na\nb", "set -o pipefail\na\nb", "echo set -e\nb"] {
            assert!(continues_after_failure(bad), "{bad}");
        }
    }
}
