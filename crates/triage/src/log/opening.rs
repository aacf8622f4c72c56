//! How a new build begins in a log that already holds one.

use super::build::{Build, Kind};
use super::ending;
use super::phase;
use super::shell;
use super::step::bounded;
use super::wrapper::{Mark, Wrapped};
use crate::heard::Heard;
use crate::rule::Speaker;

/// What a line says about the beginning of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening<'a> {
    /// A command of a container tool, as a shell or a CI system echoes it.
    Command(&'a str),
    /// A command that builds nothing.
    Aside(Aside),
    /// Another command of a script.
    Other,
    /// The first line of a builder.
    First,
}

/// Why the failure of a command may say nothing about the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aside {
    /// It cleans up, or looks.
    CleansUp,
    /// The script catches its failure.
    IsCaught,
    /// It waits, trying again and again.
    Waits,
}

/// What was heard of such a command. It counts only when nothing follows it: the script did not
/// go on.
#[derive(Debug)]
pub(super) struct Overheard {
    why: Aside,
    error: Option<(u64, String)>,
    heard: Heard,
}

/// Reads the beginning of a build.
pub(super) fn of(text: &str) -> Option<Opening<'_>> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'$' | b'+' => Some(traced(shell::command_of_trace(text)?)),
        b'/' => match traced(text) {
            Opening::Other => None,
            opening => Some(opening),
        },
        b'#' => (text.starts_with("#0 building with ")
            || text.starts_with("#1 [internal] ")
            || text.starts_with("#1 resolve image config"))
        .then_some(Opening::First),
        b'S' => (text.starts_with("Sending build context to Docker daemon")
            || text.starts_with("Step 1/")
            || text.starts_with("STEP 1/")
            || text.starts_with("STEP 1: "))
        .then_some(Opening::First),
        b'[' if text.as_bytes().contains(&b'@') && shell::typed(text).is_some() => {
            shell::typed(text).map(traced)
        }
        b'[' => (text.starts_with("[base] ") || text.starts_with("[+] Building 0.0s"))
            .then_some(Opening::First),
        b'a'..=b'z' | b'P' => shell::typed(text).map(traced),
        b'B' => (text.starts_with("Building ") && text.split_whitespace().count() == 2)
            .then_some(Opening::First),
        _ => None,
    }
    .or_else(|| Some(traced(prompted(text)?)).filter(|it| matches!(it, Opening::Command(_))))
}

/// The command behind a prompt: `root@host:/app# docker run x`, `PS C:\\app> docker build .`.
fn prompted(text: &str) -> Option<&str> {
    /// Bytes of the longest prompt.
    const LONGEST: usize = 96;
    let head = &text.as_bytes()[..text.len().min(LONGEST)];
    // Most lines of a log are told by their first bytes.
    if let [b' ' | b'0'..=b'9', ..] | [b'#', b'0'..=b'9', ..] = head {
        return None;
    }
    let is_prompt = head.contains(&b'@')
        || ["PS ", "# ", "> ", "% ", "C:\\"].iter().any(|start| text.starts_with(start));
    if !is_prompt {
        return None;
    }
    let end = head.windows(2).position(|pair| matches!(pair, [b'$' | b'#' | b'>' | b'%', b' ']))?;
    text.get(end + 2..)
}

fn traced(command: &str) -> Opening<'_> {
    let run = shell::guarded(command);
    let tool =
        run.split_whitespace().next().map_or("", |tool| tool.rsplit('/').next().unwrap_or(""));
    let known =
        ["docker", "podman", "buildah", "nerdctl", "docker-compose", "sudo"].contains(&tool);
    if known && phase::is_aside(run) {
        Opening::Aside(Aside::CleansUp)
    } else if known && phase::of_command(run).is_some() {
        Opening::Command(command)
    } else if shell::waits(command) {
        Opening::Aside(Aside::Waits)
    } else if shell::is_caught(command) {
        Opening::Aside(Aside::IsCaught)
    } else {
        Opening::Other
    }
}

impl Build {
    /// Whether a line begins another build than this one.
    pub(super) fn begins_another(&self, text: &str) -> bool {
        match of(text) {
            Some(Opening::Command(_)) => !self.is_empty(),
            Some(Opening::First) => self.has_ended() || self.repeats(text),
            Some(Opening::Aside(_) | Opening::Other) | None => {
                self.has_ended() && self.is_of_another_builder(text)
                    || self.is_of_another_push(text)
                    || self.has_ended() && ending::goes_on(text)
            }
        }
    }

    /// Whether another step or another job begins behind one that is over.
    pub(super) fn is_left_behind_by(&mut self, wrapped: &Wrapped<'_>) -> bool {
        let steps = wrapped.mark == Some(Mark::Group) && wrapped.text.starts_with("Run ");
        // GitHub's runner marks the error of each step that fails.
        let survived = self.closing.is_some() && self.exit.is_none() && self.marked.is_none();
        self.went_on = steps && self.exit.is_some();
        self.waived |= steps && survived || ending::goes_on(wrapped.text);
        self.went_on || steps && survived || self.has_ended() && ending::begins_job(wrapped.text)
    }

    /// Takes the echo of a command that begins no build.
    pub(super) fn aside(&mut self, number: u64, text: &str, opening: Opening<'_>) {
        if self.kind != Kind::Loose && !self.has_ended() {
            return;
        }
        self.aside = match opening {
            Opening::Aside(why) => {
                Some(Box::new(Overheard { why, error: None, heard: Heard::default() }))
            }
            Opening::Command(_) | Opening::Other | Opening::First => None,
        };
        match shell::command_of_trace(text).and_then(shell::exit) {
            Some(0) => self.well = Some(number),
            Some(code) => self.exit = Some(code),
            None => {}
        }
    }

    /// Takes the end of the log, where what was said aside was the last thing to be said.
    pub(super) fn recall(&mut self) {
        let Some(aside) = self.aside.take() else { return };
        match aside.error {
            _ if aside.why == Aside::IsCaught => {}
            Some((number, error)) if self.closing.is_none() => self.close(number, &error),
            None if self.loose.hits().is_empty() => self.loose = aside.heard,
            Some(_) | None => {}
        }
    }
}

impl Overheard {
    /// Hears a line of the command; `error` where an engine says that it failed.
    pub(super) fn line(&mut self, number: u64, text: &str, error: Option<&str>) {
        if let Some(error) = error {
            self.error.get_or_insert_with(|| (number, bounded(error)));
        } else if self.why == Aside::Waits {
            self.heard.line(number, text, Speaker::Both, "");
        }
    }
}
