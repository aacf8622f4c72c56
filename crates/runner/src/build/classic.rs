//! What the classic builder and Podman's say: text, in which the commands' own output is mixed.

use std::time::Instant;

use super::Steps;
use super::refusal::Refusal;
use super::tracker::Tracker;
use crate::engine::BuildUpdate;
use crate::{StepId, Stream};

/// What Podman's builder begins a step with.
const PODMANS: &str = "STEP ";

/// Reads the classic builder's messages. Each of its own lines is a message of its own, so a line
/// counts only when it is the whole message and is due at this point.
pub(crate) struct Reader {
    /// What each of its steps is; `None` for the lines that we added.
    order: Vec<Option<StepId>>,
    /// How many of them Podman's builder does not count: what stands above `FROM`.
    above_from: usize,
    /// How many steps it has announced, those above `FROM` included.
    announced: usize,
    /// Whether it is Podman's, which spells its lines its own way.
    podman: bool,
    cached: bool,
    title_open: bool,
}

impl Reader {
    pub(crate) fn new(steps: &Steps) -> Self {
        let above_from = steps.iter().take_while(|step| !step.from).count();
        let mut order = Vec::new();
        for step in steps.iter() {
            order.push(Some(step.id));
            if step.from {
                order.push(None);
            }
        }
        Self { order, above_from, announced: 0, podman: false, cached: false, title_open: false }
    }

    /// Takes one update.
    pub(crate) fn update(&mut self, update: BuildUpdate, tracker: &mut Tracker, now: Instant) {
        let BuildUpdate::Text { text } = update else { return };
        if let Some(announced) = self.announces(&text) {
            if let Some(id) = self.current() {
                tracker.done(id, None, self.cached, now);
            }
            self.announced = announced;
            self.podman = text.starts_with(PODMANS);
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
        let used_cache = if self.podman { "--> Using cache " } else { " ---> Using cache\n" };
        if text.starts_with(used_cache) {
            self.cached = true;
        } else if !is_builders(&text, self.podman) {
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

    /// How many steps are announced with `Step 3/9 : …` (Podman: `STEP 3/9: …`), when it is the next.
    fn announces(&self, text: &str) -> Option<usize> {
        let (rest, colon, uncounted) = match text.strip_prefix("Step ") {
            Some(rest) => (rest, " : ", 0),
            None => (text.strip_prefix(PODMANS)?, ": ", self.above_from),
        };
        let (number, rest) = rest.split_once('/')?;
        let (all, _) = rest.split_once(colon)?;
        let number = number.parse::<usize>().ok()?.checked_add(uncounted)?;
        let next = self.announced.max(uncounted) + 1;
        (number == next && all.parse::<usize>().is_ok()).then_some(number)
    }
}

/// `---> 0f07e98ac749`, `---> Running in …`, `Removing intermediate container …`; Podman's
/// `--> 0f07e98ac74` and `COMMIT`.
fn is_builders(text: &str, podman: bool) -> bool {
    let id = |word: &str| word.len() >= 11 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let Some(line) = text.strip_suffix('\n') else { return false };
    if podman {
        return line == "COMMIT" || line.strip_prefix("--> ").is_some_and(id);
    }
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
