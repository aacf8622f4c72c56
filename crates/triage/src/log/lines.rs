//! Bytes to numbered lines, in bounded memory.

use memchr::memchr;

/// Bytes of a line that are kept; the rest of a longer line is not read.
const LONGEST: usize = 256 * 1024;

/// Cuts bytes into lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The line that has not ended yet.
    open: Vec<u8>,
    count: u64,
}

impl Lines {
    /// Takes bytes; calls `line` with each line that ends in them.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut line: impl FnMut(u64, &str)) {
        while let Some(end) = memchr(b'\n', bytes) {
            self.count += 1;
            if self.open.is_empty() {
                text(&bytes[..end], self.count, &mut line);
            } else {
                self.keep(&bytes[..end]);
                text(&self.open, self.count, &mut line);
                self.open.clear();
            }
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// Takes the end; gives the number of lines.
    pub(super) fn finish(mut self, mut line: impl FnMut(u64, &str)) -> u64 {
        if !self.open.is_empty() {
            self.count += 1;
            text(&self.open, self.count, &mut line);
        }
        self.count
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.open.len());
        self.open.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// Hands a line on as text; what is not UTF-8 becomes U+FFFD.
fn text(bytes: &[u8], number: u64, line: &mut impl FnMut(u64, &str)) {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => line(number, text),
        Err(_) => line(number, &String::from_utf8_lossy(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<(u64, String)> {
        let mut found = Vec::new();
        let mut lines = Lines::default();
        for piece in pieces {
            lines.feed(piece, |number, line| found.push((number, line.to_owned())));
        }
        lines.finish(|number, line| found.push((number, line.to_owned())));
        found
    }

    #[test]
    fn the_cuts_of_the_pieces_make_no_difference() {
        let text = b"one\r\n\ntwo \xff\nthree";
        let whole = lines(&[text]);
        assert_eq!(whole.last(), Some(&(4, "three".to_owned())));
        for at in 0..text.len() {
            assert_eq!(lines(&[&text[..at], &text[at..]]), whole);
        }
    }

    #[test]
    fn a_line_without_end_is_bounded() {
        let mut reader = Lines::default();
        for _ in 0..100 {
            reader.feed(&[b'x'; 65_536], |_, _| {});
        }
        assert!(reader.open.len() <= LONGEST);
    }
}
