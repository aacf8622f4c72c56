//! What was heard of one step: which rows its lines fit, and its last lines. Bounded, whatever comes.

use std::collections::VecDeque;

use contract::{Check, Marker};

use crate::Evidence;
use crate::rule::{Rule, Speaker};
use crate::rules::{self, RULES, RuleId};

/// Last lines that are kept for what is not recognised.
const TAIL: usize = 8;
/// Bytes of a line that are kept as evidence. The rest of a longer line is not shown.
const SHOWN: usize = 400;

/// What was heard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// The first line of each row that was fitted, in the order of the lines.
    hits: Vec<Hit>,
    /// The first marker that stood alone in a line.
    marker: Option<(u64, Check)>,
    tail: VecDeque<Evidence>,
}

/// A line that fits a row.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    id: RuleId,
    /// The line.
    pub(crate) line: Evidence,
}

impl Hit {
    /// The row.
    pub(crate) fn rule(&self) -> &'static Rule {
        RULES[usize::from(self.id)]
    }

    /// Whether the row may be believed from this speaker.
    pub(crate) fn from(&self, speaker: Speaker) -> bool {
        let rule = self.rule();
        rule.speaker == speaker || rule.speaker == Speaker::Both || speaker == Speaker::Both
    }
}

impl Heard {
    /// Hears a line: its number, its text without prefixes and colours, and who may have said it.
    pub(crate) fn line(&mut self, number: u64, text: &str, speaker: Speaker) {
        let text = text.trim_end();
        if text.trim_start().is_empty() {
            return;
        }
        if self.marker.is_none() {
            self.marker = Marker::from_line(text).map(|Marker(check)| (number, check));
        }
        if !is_trace(text) {
            rules::search(text, speaker, |id| {
                if !self.hits.iter().any(|hit| hit.id == id) {
                    self.hits.push(Hit { id, line: shown(number, text) });
                }
            });
        }
        if self.tail.len() == TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back(shown(number, text));
    }

    /// The rows that were fitted.
    pub(crate) fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The marker, for the probe's own step.
    pub(crate) const fn marker(&self) -> Option<(u64, Check)> {
        self.marker
    }

    /// The last lines.
    pub(crate) fn tail(&self) -> Vec<Evidence> {
        self.tail.iter().cloned().collect()
    }
}

/// `set -x` repeats the step's own commands behind plus signs: an echo, not a statement.
fn is_trace(text: &str) -> bool {
    text.trim_start_matches('+').starts_with(' ') && text.starts_with('+')
}

/// A line as evidence, not longer than is useful.
pub(crate) fn shown(line: u64, text: &str) -> Evidence {
    let text = text.trim();
    let mut end = text.len().min(SHOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Evidence { line, text: text[..end].to_owned() }
}
