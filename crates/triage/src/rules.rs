//! The rule table, and the search for all its words in one line.

mod apt;
mod build;
mod engine;
mod git;
mod image;
mod javascript;
mod languages;
mod network;
mod packages;
mod python;
mod registry;
mod shell;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::Code;
use crate::rule::{Anchor, Rule, Speaker};

/// A row's place in the table.
pub(crate) type RuleId = u16;

/// The table. Contract markers are not in it: they are read by the contract crate alone.
pub(crate) static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    [
        image::RULES,
        registry::RULES,
        engine::RULES,
        apt::RULES,
        packages::RULES,
        network::RULES,
        shell::RULES,
        git::RULES,
        javascript::RULES,
        python::RULES,
        languages::RULES,
        build::RULES,
    ]
    .into_iter()
    .flatten()
    .collect()
});

static SEARCH: LazyLock<Search> = LazyLock::new(Search::new);

/// Bytes of a line that are searched: an error says what it is at its beginning.
const SEARCHED: usize = 16 * 1024;
/// Rows that are tried on one line. A line that holds the words of more is made to take time.
const TRIED: usize = 64;

/// Calls `found` with each row that the line fits, if the speaker fits, too.
pub(crate) fn search(line: &str, speaker: Speaker, mut found: impl FnMut(RuleId)) {
    let line = &line[..line.floor_char_boundary(SEARCHED)];
    let mut tried: Vec<RuleId> = Vec::new();
    for hit in SEARCH.automaton.find_overlapping_iter(line) {
        for &id in &SEARCH.rules[hit.pattern().as_usize()] {
            let rule = RULES[usize::from(id)];
            let heard = rule.speaker == speaker
                || rule.speaker == Speaker::Both
                || speaker == Speaker::Both;
            // Where a needle stands matters to anchored rows only: the others are tried once.
            if !heard || rule.anchor == Anchor::Anywhere && tried.contains(&id) {
                continue;
            }
            if tried.len() == TRIED {
                return;
            }
            if !tried.contains(&id) {
                tried.push(id);
            }
            if rule.fits(line, hit.start(), hit.end()) {
                found(id);
            }
        }
    }
}

/// The words that the rules look for, each once.
pub fn words() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.needle).collect::<BTreeSet<_>>().into_iter()
}

/// The first row of a code, for its page.
pub(crate) fn first_of(code: Code) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

/// One automaton over all needles; a needle can belong to several rows.
struct Search {
    automaton: AhoCorasick,
    rules: Vec<Vec<RuleId>>,
}

impl Search {
    fn new() -> Self {
        let mut needles: BTreeMap<&'static str, Vec<RuleId>> = BTreeMap::new();
        for (id, rule) in (0..).zip(RULES.iter()) {
            needles.entry(rule.needle).or_default().push(id);
        }
        // The table is ours and small: building its automaton cannot exceed any limit.
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(needles.keys())
            .unwrap_or_else(|error| unreachable!("the rule table does not compile: {error}"));
        Self { automaton, rules: needles.into_values().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ansi;

    #[test]
    fn every_row_fits_the_line_that_it_was_made_for() {
        let mut wrong = Vec::new();
        for (id, rule) in (0..).zip(RULES.iter()) {
            assert!(
                !rule.line.is_empty() && !rule.writer.is_empty(),
                "{:?} has no line",
                rule.needle
            );
            let mut found = false;
            search(&ansi::strip(rule.line), rule.speaker, |other| found |= other == id);
            if !found {
                wrong.push(format!("{} {:?} {:?}", rule.code.name(), rule.needle, rule.line));
            }
        }
        assert!(wrong.is_empty(), "rows that do not fit their own lines:\n{}", wrong.join("\n"));
    }

    #[test]
    fn no_two_rows_say_the_same() {
        let mut seen = BTreeMap::new();
        let mut twice = Vec::new();
        for rule in RULES.iter() {
            let key = (rule.needle, rule.also, rule.not, rule.speaker as u8, rule.anchor as u8);
            if let Some(other) = seen.insert(key, rule.code) {
                twice.push(format!("{:?}: {} and {}", rule.needle, other.name(), rule.code.name()));
            }
        }
        assert!(twice.is_empty(), "rows that stand twice:\n{}", twice.join("\n"));
    }
}
