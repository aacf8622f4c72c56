//! A setup entry as one `RUN`.
//!
//! The published page writes `RUN /bin/sh -lc '…'`. Here it is the JSON form of the same argument
//! vector. The shell form goes through the image's `SHELL`, which a step or the base may have changed;
//! it cannot hold a newline, because the builder joins lines without one; and it needs the text quoted
//! for a shell. The JSON form starts `/bin/sh` itself and hands over the text as it is, on every builder.

use environment::{Stage, Text};

use crate::quote::{json_form, shell_word};

/// The longest argument that Linux starts a program with is 128 KiB; this leaves room for our own words.
pub(crate) const ARGUMENT_BYTES: usize = 131_000;

/// The instruction: the stage's shell, and everything of the entry as its one script.
pub(crate) fn run(stage: &Stage, exports: &str, commands: &[Text]) -> String {
    let script = text(stage.prelude.as_deref(), exports, commands);
    let shell = stage.shell.clone().unwrap_or_else(|| vec!["/bin/sh".to_owned(), "-c".to_owned()]);
    let mut arguments: Vec<&str> = shell.iter().map(String::as_str).collect();
    arguments.push(&script);
    format!("RUN {}", json_form(&arguments))
}

/// The packages of one manager: the stage's prelude is the command, and each package is one word of it.
pub(crate) fn install(stage: &Stage, specs: &[Text]) -> String {
    let mut command = stage.prelude.clone().unwrap_or_default();
    for spec in specs {
        command.push(' ');
        command.push_str(&shell_word(&spec.value));
    }
    let shell = stage.shell.clone().unwrap_or_else(|| vec!["/bin/sh".to_owned(), "-c".to_owned()]);
    let mut arguments: Vec<&str> = shell.iter().map(String::as_str).collect();
    arguments.push(&command);
    format!("RUN {}", json_form(&arguments))
}

/// What the shell gets: the prelude, then the commands, one behind the other in the same shell.
///
/// They are joined by newlines. Behind `; ` a comment at a command's end would swallow the next
/// command, and a here-document would have no line of its own to end on. A backslash at a command's
/// end would still join it with the next, so an empty line follows it.
pub(crate) fn text(prelude: Option<&str>, exports: &str, commands: &[Text]) -> String {
    let mut script = String::new();
    if let Some(prelude) = prelude {
        script.push_str(prelude);
        script.push('\n');
    }
    script.push_str(exports);
    for (index, command) in commands.iter().enumerate() {
        script.push_str(&command.value);
        if index + 1 < commands.len() {
            script.push_str(if command.value.ends_with('\\') { "\n\n" } else { "\n" });
        }
    }
    script
}
