//! Output that is kept: its beginning and its end, and never half a character.

use std::collections::VecDeque;

use crate::Stream;

/// How much of the beginning is kept, in bytes.
const HEAD: usize = 64 * 1024;
/// How much of the end is kept. Most failures speak last.
const TAIL: usize = 192 * 1024;

/// The beginning and the end of one step's output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Captured {
    head: String,
    tail: VecDeque<u8>,
    left_out: u64,
    last: Option<(Stream, bool)>,
}

impl Captured {
    /// Takes more of it. Half a line of one stream does not run into a line of the other.
    pub(crate) fn push(&mut self, stream: Stream, text: &str) {
        if self.last.is_some_and(|(last, ended)| last != stream && !ended) {
            self.keep("\n");
        }
        self.keep(text);
        self.last = Some((stream, text.ends_with('\n')));
    }

    fn keep(&mut self, text: &str) {
        let mut rest = text;
        if self.tail.is_empty() && self.head.len() < HEAD {
            let cut = text.floor_char_boundary(HEAD - self.head.len());
            self.head.push_str(&text[..cut]);
            rest = &text[cut..];
        }
        self.tail.extend(rest.as_bytes());
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        self.left_out += over as u64;
    }

    /// What is kept, with a line for what is not.
    pub(crate) fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let tail = String::from_utf8_lossy(&tail);
        if self.left_out == 0 {
            return format!("{}{tail}", self.head);
        }
        format!("{}\n[{} bytes left out]\n{tail}", self.head, self.left_out)
    }
}

/// Bytes to text, one stream's chunks after another: a character may be cut between two chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lossy {
    rest: Vec<u8>,
}

impl Lossy {
    /// The text that is whole by now.
    pub(crate) fn decode(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let whole = all.len() - unfinished(&all);
        self.rest = all.split_off(whole);
        String::from_utf8_lossy(&all).into_owned()
    }
}

/// How many bytes at the end are the beginning of a character.
fn unfinished(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let byte = bytes[bytes.len() - back];
        let length = match byte {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF7 => 4,
            0x80..=0xBF => continue,
            _ => return 0,
        };
        return if length > back { back } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept_whatever_comes_between() {
        let mut captured = Captured::default();
        captured.push(Stream::Stdout, "first\n");
        for _ in 0..100_000 {
            captured.push(Stream::Stdout, "äöü 0123456789\n");
        }
        captured.push(Stream::Stdout, "last\n");
        let text = captured.text();
        assert!(text.starts_with("first\n") && text.ends_with("last\n"));
        assert!(text.contains("bytes left out]"), "{}", text.len());
        assert!(text.len() < HEAD + TAIL + 100);
        let mut short = Captured::default();
        short.push(Stream::Stdout, "a");
        short.push(Stream::Stdout, "b");
        short.push(Stream::Stderr, "c\n");
        short.push(Stream::Stdout, "d\n");
        assert_eq!(short.text(), "ab\nc\nd\n");
    }

    #[test]
    fn a_character_cut_in_two_arrives_whole() {
        let text = "aä€😀z".as_bytes();
        for cut in 0..text.len() {
            let mut lossy = Lossy::default();
            let first = lossy.decode(&text[..cut]);
            assert_eq!(first + &lossy.decode(&text[cut..]), "aä€😀z", "cut at {cut}");
        }
        assert_eq!(Lossy::default().decode(b"a\xffb"), "a\u{fffd}b");
    }
}
