//! What the classic builder says: text, in which the commands' own output is mixed.

use std::time::Instant;

use super::Steps;
use super::refusal::Refusal;
use super::tracker::Tracker;
use crate::engine::BuildUpdate;
use crate::{StepId, Stream};

/// Reads the classic builder's messages. Each of its own lines is a message of its own, so a line
/// counts only when it is the whole message and is due at this point.
pub(crate) struct Reader {
    /// What each of its steps is; `None` for the lines that we added.
    order: Vec<Option<StepId>>,
    /// How many steps it has announced.
    announced: usize,
    cached: bool,
    title_open: bool,
}

impl Reader {
    pub(crate) fn new(steps: &Steps) -> Self {
        let mut order = Vec::new();
        for step in steps.iter() {
            order.push(Some(step.id));
            if step.from {
                order.push(None);
            }
        }
        Self { order, announced: 0, cached: false, title_open: false }
    }

    /// Takes one update.
    pub(crate) fn update(&mut self, update: BuildUpdate, tracker: &mut Tracker, now: Instant) {
        let BuildUpdate::Text { text } = update else { return };
        if self.announces(&text) {
            if let Some(id) = self.current() {
                tracker.done(id, None, self.cached, now);
            }
            self.announced += 1;
            (self.cached, self.title_open) = (false, true);
            if let Some(id) = self.current() {
                tracker.began(id, now);
            }
            return;
        }
        if std::mem::take(&mut self.title_open) && text == "\n" {
            return;
        }
        let Some(id) = self.current() else { return };
        if text == " ---> Using cache\n" {
            self.cached = true;
        } else if !is_builders(&text) {
            let (stream, text) = stream_of(&text);
            tracker.output(id, stream, text.as_bytes());
        }
    }

    /// The step that ran last is the one that failed.
    pub(crate) fn refusal(&self, tracker: &Tracker) -> Refusal {
        let step = self.current().filter(|_| self.announced > 0);
        let phase = step.map(|step| tracker.phase(step));
        Refusal { step, phase, message: None }
    }

    fn current(&self) -> Option<StepId> {
        let index = self.announced.checked_sub(1)?;
        self.order.get(index).copied().flatten()
    }

    /// `Step 3/9 : …`, when it is the next one.
    fn announces(&self, text: &str) -> bool {
        let Some(rest) = text.strip_prefix("Step ") else { return false };
        let Some((number, _)) = rest.split_once('/') else { return false };
        rest.contains(" : ") && number.parse() == Ok(self.announced + 1)
    }
}

/// `---> 0f07e98ac749`, `---> Running in …`, `Removing intermediate container …`.
fn is_builders(text: &str) -> bool {
    let id = |word: &str| word.len() >= 12 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let Some(line) = text.strip_suffix('\n') else { return false };
    let rest = line
        .strip_prefix(" ---> Running in ")
        .or_else(|| line.strip_prefix(" ---> "))
        .or_else(|| line.strip_prefix("Removing intermediate container "));
    rest.is_some_and(id)
}

/// The builder wraps what came on stderr in red, even where nobody sees colours.
fn stream_of(text: &str) -> (Stream, &str) {
    match text.strip_prefix("\u{1b}[91m") {
        Some(rest) => (Stream::Stderr, rest.strip_suffix("\u{1b}[0m").unwrap_or(rest)),
        None => (Stream::Stdout, text),
    }
}
