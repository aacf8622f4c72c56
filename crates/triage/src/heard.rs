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
/// Rows of one step that are kept. More than that is no build's output; the heavier ones stay.
const HITS: usize = 48;

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
    /// A line that is part of `source`, the step's own text, is an echo and says nothing.
    pub(crate) fn line(&mut self, number: u64, text: &str, speaker: Speaker, source: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.rows(number, text, speaker, source);
        self.remember(number, text);
    }

    /// Hears a line of a block that may repeat what was heard.
    pub(crate) fn again(&mut self, number: u64, text: &str, speaker: Speaker, source: &str) {
        let text = text.trim();
        if !text.is_empty() && self.tail.iter().all(|known| known.text != cut(text)) {
            self.line(number, text, speaker, source);
        }
    }

    fn rows(&mut self, number: u64, text: &str, speaker: Speaker, source: &str) {
        if self.marker.is_none() {
            self.marker = Marker::from_line(text).map(|Marker(check)| (number, check));
        }
        let mut echo = None;
        rules::search(text, speaker, |id| {
            let is_echo =
                || is_trace(text) || passes(text) || text.len() > 3 && source.contains(text);
            if !*echo.get_or_insert_with(is_echo) {
                self.keep(id, number, text);
            }
        });
    }

    fn remember(&mut self, number: u64, text: &str) {
        // The oldest of the last lines lends its room to the newest.
        let mut oldest = if self.tail.len() == TAIL { self.tail.pop_front() } else { None };
        let line = oldest.get_or_insert_with(|| Evidence { line: 0, text: String::new() });
        line.line = number;
        line.text.clear();
        line.text.push_str(cut(text));
        self.tail.extend(oldest);
    }

    fn keep(&mut self, id: RuleId, number: u64, text: &str) {
        if self.hits.iter().any(|hit| hit.id == id) {
            return;
        }
        if self.hits.len() == HITS {
            let weight = |hit: &Hit| hit.rule().weight;
            let lightest = self.hits.iter().enumerate().rev().min_by_key(|(_, hit)| weight(hit));
            match lightest {
                Some((at, hit)) if weight(hit) < RULES[usize::from(id)].weight => {
                    self.hits.remove(at);
                }
                _ => return,
            }
        }
        self.hits.push(Hit { id, line: shown(number, text) });
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

/// Whether a test runner says of a test that it passed, or a scanner lists a finding: the names
/// of tests and of vulnerabilities speak of failures.
fn passes(text: &str) -> bool {
    const STARTS: [&str; 7] = ["ok ", "--- PASS", "PASS ", "PASSED ", "✓ ", "✔ ", "√ "];
    const ENDS: [&str; 8] =
        [" ... ok", " … ok", " PASSED", " [PASSED]", " ... OK", " ... PASS", " [ OK ]", " passed"];
    // pytest shows how far it has come behind the word.
    let text = match text.rsplit_once('[') {
        Some((before, share)) if share.trim_end().ends_with("%]") => before.trim_end(),
        _ => text,
    };
    STARTS.iter().any(|start| text.starts_with(start))
        || ENDS.iter().any(|end| text.ends_with(end))
        || text.contains("CVE-") && text.contains(['│', '|'])
}

/// A line as evidence, not longer than is useful.
pub(crate) fn shown(line: u64, text: &str) -> Evidence {
    Evidence { line, text: cut(text.trim()).to_owned() }
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(SHOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
