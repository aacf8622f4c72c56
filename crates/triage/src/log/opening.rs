//! How a new build begins in a log that already holds one.

use super::build::Build;
use super::phase;

/// What a line says about the beginning of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening<'a> {
    /// A command of a container tool, as a shell or a CI system echoes it.
    Command(&'a str),
    /// The first line of a builder.
    First,
}

/// Reads the beginning of a build.
pub(super) fn of(text: &str) -> Option<Opening<'_>> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'$' | b'+' => {
            let command = text.strip_prefix("$ ").or_else(|| text.strip_prefix("+ "))?;
            command_of(command)
        }
        b'/' => command_of(text),
        b'#' => (text.starts_with("#0 building with ")
            || text.starts_with("#1 [internal] ")
            || text.starts_with("#1 resolve image config"))
        .then_some(Opening::First),
        b'S' => (text.starts_with("Sending build context to Docker daemon")
            || text.starts_with("Step 1/")
            || text.starts_with("STEP 1/")
            || text.starts_with("STEP 1: "))
        .then_some(Opening::First),
        b'[' => (text.starts_with("[base] ") || text.starts_with("[+] Building 0.0s"))
            .then_some(Opening::First),
        b'B' => (text.starts_with("Building ") && text.split_whitespace().count() == 2)
            .then_some(Opening::First),
        _ => None,
    }
}

fn command_of(command: &str) -> Option<Opening<'_>> {
    let tool = command.split_whitespace().next()?;
    let tool = tool.rsplit('/').next()?;
    let known =
        ["docker", "podman", "buildah", "nerdctl", "docker-compose", "sudo"].contains(&tool);
    (known && phase::of_command(command).is_some()).then_some(Opening::Command(command))
}

impl Build {
    /// Whether a line begins another build than this one.
    pub(super) fn begins_another(&self, text: &str) -> bool {
        match of(text) {
            Some(Opening::Command(_)) => !self.is_empty(),
            Some(Opening::First) => self.has_ended() || self.repeats(text),
            None => self.has_ended() && self.is_of_another_builder(text),
        }
    }
}
