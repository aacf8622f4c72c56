//! The last lines of an output, in bounded memory.

use std::collections::VecDeque;

use crate::report::text;

/// How many lines are kept of one step's output.
const LINES: usize = 80;

/// How many characters are kept of one line.
const WIDTH: usize = 2_000;

/// How many bytes are kept of all of them: two hundred cases must still make one page that opens.
const BYTES: usize = 8 * 1024;

/// The last lines of a step's output, and how many came before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Output {
    lines: VecDeque<String>,
    open: String,
    open_chars: usize,
    /// What the lines hold, in bytes.
    held: usize,
    dropped: u64,
}

impl Output {
    /// Takes text that may begin and end within a line.
    pub(crate) fn push(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            for c in part.trim_end_matches('\n').chars() {
                if self.open_chars < WIDTH {
                    self.open.push(c);
                    self.open_chars += 1;
                }
            }
            if part.ends_with('\n') {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.open);
        self.open_chars = 0;
        self.held += line.len();
        self.lines.push_back(line);
        // The last line stays, whatever it holds.
        while self.lines.len() > LINES || (self.held > BYTES && self.lines.len() > 1) {
            self.held -= self.lines.pop_front().map_or(0, |line| line.len());
            self.dropped += 1;
        }
    }

    /// The kept lines, safe to show: what a terminal would show of each.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let open = Some(&self.open).filter(|line| !line.is_empty());
        self.lines.iter().chain(open).map(|line| {
            let last = line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or_default();
            text::plain(last).into_owned()
        })
    }

    /// How many lines were dropped before the first one kept.
    pub(crate) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Whether nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parts: &[&str], lines: &[&str]) {
        let mut output = Output::default();
        for part in parts {
            output.push(part);
        }
        assert_eq!(output.lines().collect::<Vec<_>>(), lines, "{parts:?}");
    }

    #[test]
    fn lines_are_put_together_and_shown_as_a_terminal_would() {
        check(&["a", "b\nc"], &["ab", "c"]);
        check(&["10%\r50%\r100%\r\n"], &["100%"]);
        check(&["\u{1b}[31mred\u{1b}[0m\n"], &["red"]);
        check(&[], &[]);
    }

    #[test]
    fn a_flood_is_bounded_and_counted() {
        let mut output = Output::default();
        output.push(&"x".repeat(5_000_000));
        output.push("\n");
        for n in 0..100_000 {
            output.push(&format!("{n}\n"));
        }
        let lines: Vec<String> = output.lines().collect();
        assert_eq!((lines.len(), output.dropped()), (LINES, 100_001 - LINES as u64));
        assert_eq!(lines.last().unwrap(), "99999");
    }

    #[test]
    fn wide_lines_leave_room_for_fewer() {
        let mut output = Output::default();
        for _ in 0..100 {
            output.push(&format!("{}\n", "é".repeat(5_000)));
        }
        let lines: Vec<String> = output.lines().collect();
        assert_eq!((lines.len(), output.dropped()), (2, 98));
        assert!(lines.iter().all(|line| line.chars().count() == WIDTH));
    }
}
