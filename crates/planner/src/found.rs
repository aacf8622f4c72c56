//! A finding about a part of an authored text.

use environment::{Code, Excerpt, Finding, Place, Text};

/// Starts a finding about `len` bytes of a text, from the byte at `at`.
pub(crate) fn in_text(code: Code, text: &Text, at: usize, len: usize, message: String) -> Finding {
    let at = text.value.floor_char_boundary(at);
    let line_start = text.value[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text.value[line_start..].split('\n').next().unwrap_or_default();
    let end =
        text.value.floor_char_boundary(at.saturating_add(len)).clamp(at, line_start + line.len());
    let characters = |part: &str| part.chars().count();
    let excerpt = Excerpt::new(
        line,
        characters(&text.value[line_start..at]),
        characters(&text.value[at..end]).max(1),
    );
    Finding { excerpt: Some(excerpt), ..at_place(code, text.place_at(at), message) }
}

/// Starts a finding about something at a place.
pub(crate) fn at_place(code: Code, place: Option<Place>, message: String) -> Finding {
    Finding {
        code,
        severity: code.severity(),
        place,
        message,
        expected: None,
        hint: None,
        excerpt: None,
        related: Vec::new(),
    }
}

/// Ways to complete a finding.
pub(crate) trait Advice {
    /// What to write or do instead.
    fn hint(self, hint: impl Into<String>) -> Self;
    /// What was expected there.
    fn expected(self, expected: impl Into<String>) -> Self;
}

impl Advice for Finding {
    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }
}
