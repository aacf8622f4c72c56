//! From the parser's marks to spans of the text.

use super::{FileId, Span};
use crate::limits::MARKS_IN_LINE;

/// Turns the parser's character counts into byte offsets, walking the text once.
pub(super) struct Cursor<'t> {
    pub(super) file: FileId,
    pub(super) text: &'t str,
    /// Where the last thing that is written ends, in bytes.
    written: usize,
    chars: usize,
    bytes: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(file: FileId, text: &'t str) -> Self {
        Self { file, text, written: text.trim_end().len(), chars: 0, bytes: 0 }
    }

    pub(super) fn span(&mut self, span: saphyr_parser::Span) -> Span {
        let (start, end) = (span.start, span.end);
        let offset = self.offset(start.index());
        if offset >= self.written {
            // What is missing at the end is missing after the last thing that is written.
            let last = self.text[..self.written].char_indices().next_back();
            return Span::of(self.file, self.text, last.map_or(0, |(at, _)| at));
        }
        let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let len =
            if end.line() == start.line() { end.col().saturating_sub(start.col()) } else { 0 };
        Span {
            file: self.file,
            line: narrow(start.line()).max(1),
            column: narrow(start.col()).saturating_add(1),
            offset: narrow(offset),
            len: narrow(len),
        }
    }

    fn offset(&mut self, index: usize) -> usize {
        if index < self.chars {
            let back = self.text[..self.bytes].char_indices().rev().take(self.chars - index);
            self.bytes = back.last().map_or(self.bytes, |(at, _)| at);
        } else {
            let mut ahead = self.text[self.bytes..].char_indices();
            let passed = ahead.by_ref().take(index - self.chars).count();
            self.bytes += ahead.offset();
            self.chars += passed;
            return self.bytes;
        }
        self.chars = index;
        self.bytes
    }
}

/// The start of the first line that holds more marks than the parser should have to keep.
pub(super) fn crowded_line(text: &str) -> Option<usize> {
    let (mut start, mut marks) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' | b'\r' => (start, marks) = (at + 1, 0),
            b',' | b'[' | b']' | b'{' | b'}' | b':' | b'?' | b'-' | b'&' | b'*' | b'!' | b'|'
            | b'>' | b'"' | b'\'' | b'%' | b'@' | b'#' | b'`' => marks += 1,
            _ => {}
        }
        if marks > MARKS_IN_LINE {
            return Some(start);
        }
    }
    None
}

/// The line of the byte at `offset`.
pub(super) fn line_at(text: &str, offset: usize) -> &str {
    let offset = text.floor_char_boundary(offset);
    let start = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let end = text[offset..].find(['\n', '\r']).map_or(text.len(), |at| offset + at);
    &text[start..end]
}
