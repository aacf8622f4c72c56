//! Cutting the author's line out of the file, with the part that a caret underlines.

use std::collections::BTreeMap;

use crate::limits::FILE_BYTES;
use crate::{Excerpt, Finding, Place, RepoPath, Source};

/// The longest excerpt, in characters. A longer line is shown around the part that is meant.
const MAX_CHARS: usize = 160;

impl Excerpt {
    /// The part of `line` that starts at character `start` (from 0) and has `len` characters.
    ///
    /// Control characters become `␀`…, a tab one space, so that the caret stays under its part; a long
    /// line is cut around the part, with `…` where something is missing.
    #[must_use]
    pub fn new(line: &str, start: usize, len: usize) -> Self {
        let line = line.trim_end_matches(['\n', '\r']);
        let all: Vec<char> = line.chars().take(start.saturating_add(4 * MAX_CHARS)).collect();
        let start = start.min(all.len());
        let first = if all.len() <= MAX_CHARS { 0 } else { start.saturating_sub(MAX_CHARS / 4) };
        let last = all.len().min(first + MAX_CHARS);
        let mut shown: String = all[first..last].iter().copied().map(printable).collect();
        let mut caret = start - first;
        if first > 0 {
            shown.insert(0, '…');
            caret += 1;
        }
        let room = shown.chars().count().saturating_sub(caret).max(1);
        if last < all.len() {
            shown.push('…');
        }
        Self { line: shown, start: number(caret), len: number(len.clamp(1, room)) }
    }

    /// The part of a file's `text` at `place`: `len` characters, or the word there if `None`.
    /// `None` when the file has no such line.
    #[must_use]
    pub fn at(text: &str, place: &Place, len: Option<usize>) -> Option<Self> {
        let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
        let line = crate::yaml::lines(text).nth(index)?;
        let start = usize::try_from(place.column).ok()?.saturating_sub(1);
        let len = len.unwrap_or_else(|| word_length(line, start));
        Some(Self::new(line, start, len))
    }

    /// The part of `text` that starts at byte `offset`: `len` characters, or the word there if `None`.
    pub(crate) fn around(text: &str, offset: usize, len: Option<usize>) -> Self {
        let offset = text.floor_char_boundary(offset);
        let before = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let after = text[offset..].find(['\n', '\r']).map_or(text.len(), |at| offset + at);
        let start = text[before..offset].chars().count();
        let line = &text[before..after];
        let len = len.unwrap_or_else(|| word_length(line, start));
        Self::new(line, start, len)
    }
}

/// Gives an excerpt to each finding that has a place and none yet, reading the files again.
/// A file that cannot be read leaves its findings as they are.
pub fn fill_excerpts(findings: &mut [Finding], source: &dyn Source) {
    let mut texts: BTreeMap<RepoPath, Option<String>> = BTreeMap::new();
    for finding in findings.iter_mut().filter(|finding| finding.excerpt.is_none()) {
        let Some(place) = &finding.place else { continue };
        let text = texts.entry(place.file.clone()).or_insert_with(|| {
            let bytes = source.read(&place.file, FILE_BYTES).ok()?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Some(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
        });
        finding.excerpt = text.as_deref().and_then(|text| Excerpt::at(text, place, None));
    }
}

/// The length of the word or the quoted text that starts at `start`.
fn word_length(line: &str, start: usize) -> usize {
    let mut rest = line.chars().skip(start).peekable();
    match rest.peek() {
        Some(&quote @ ('"' | '\'')) => {
            rest.skip(1).position(|c| c == quote).map_or(1, |inner| inner + 2)
        }
        _ => rest.take_while(|c| !c.is_whitespace()).count().max(1),
    }
}

fn printable(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{7f}' => '␡',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('�'),
        // Marks that reorder or hide text would make the excerpt lie about the file.
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => '�',
        c => c,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
