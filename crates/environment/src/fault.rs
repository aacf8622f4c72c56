//! [`Fault`]: a finding before it is told which excerpt and which chain of imports belong to it.

use std::borrow::Cow;

use crate::yaml::Span;
use crate::{Code, RepoPath, Severity};

/// Where a fault is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum At {
    /// In no file.
    Nowhere,
    /// A whole file, which may not have been read.
    File(RepoPath),
    /// A part of a file.
    Span(Span),
}

/// Something found, with everything but its excerpt and its chain of imports.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) at: At,
    pub(crate) message: String,
    pub(crate) expected: Option<Cow<'static, str>>,
    pub(crate) hint: Option<Cow<'static, str>>,
    pub(crate) related: Vec<(Span, String)>,
}

impl Fault {
    pub(crate) fn new(code: Code, at: Span, message: impl Into<String>) -> Self {
        Self::anywhere(code, At::Span(at), message)
    }

    pub(crate) fn anywhere(code: Code, at: At, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, at, message, expected: None, hint: None, related: Vec::new() }
    }

    pub(crate) fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }

    pub(crate) fn expected(mut self, expected: impl Into<Cow<'static, str>>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.map(Cow::Owned);
        self
    }

    pub(crate) fn related(mut self, at: Span, message: impl Into<String>) -> Self {
        self.related.push((at, message.into()));
        self
    }
}

/// The most characters of an author's text that a message repeats.
const QUOTED_CHARS: usize = 60;

/// An author's text inside a message: between backticks, on one line, cut to a bounded length.
pub(crate) fn quote(text: &str) -> String {
    let mut shown = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == QUOTED_CHARS {
            shown.push('…');
            break;
        }
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.push('`');
    shown
}

/// The longest word that is compared with others, in bytes: comparing costs the product of two lengths.
const COMPARED_BYTES: usize = 32;
/// The most words that one is compared with.
const COMPARED_WORDS: usize = 300;

/// The name of `known` that is nearest to `word`, if one is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > COMPARED_BYTES {
        return None;
    }
    let folded = fold(word);
    let allowed = (folded.chars().count() / 3).clamp(1, 3);
    let distance = |name: &str| {
        let name_folded = fold(name);
        // `node22` is no slip for `node99`: words that differ in digits alone are different words.
        if name_folded != folded && letters(&name_folded) == letters(&folded) {
            return None;
        }
        if folded.len() >= 3 && name_folded.starts_with(&folded) {
            return Some(1);
        }
        if name_folded.len().abs_diff(folded.len()) > 4 * allowed {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&folded, &name_folded);
        (distance <= allowed).then_some(distance)
    };
    let words = known.into_iter().take(COMPARED_WORDS).filter(|name| name.len() <= COMPARED_BYTES);
    words.filter_map(|name| Some((distance(name)?, name))).min().map(|(_, name)| name)
}

fn letters(word: &str) -> String {
    word.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// `cpu_count`, `cpu-count` and `CPUCount` are the same word to a reader.
fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}
