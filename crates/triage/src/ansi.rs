//! Colours and other terminal control, taken out of a line.

use std::borrow::Cow;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// The line without escape sequences (CSI, OSC, APC and two-byte ones) and without bells.
pub(crate) fn strip(line: &str) -> Cow<'_, str> {
    if memchr::memchr2(ESCAPE, BELL, line.as_bytes()).is_none() {
        return Cow::Borrowed(line);
    }
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = memchr::memchr2(ESCAPE, BELL, rest.as_bytes()) {
        text.push_str(&rest[..at]);
        rest = rest.get(at + sequence(&rest.as_bytes()[at..])..).unwrap_or("");
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The length of the control sequence at the start of `bytes`; ends on a character's boundary.
fn sequence(bytes: &[u8]) -> usize {
    match bytes {
        [ESCAPE, b'[', rest @ ..] => {
            // Parameters, then one final byte; anything else is not a sequence, and stays.
            let parameters = rest.iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
            2 + parameters + usize::from(rest.get(parameters).is_some_and(u8::is_ascii))
        }
        // Strings of the terminal: titles, links, and Buildkite's time stamps.
        [ESCAPE, b']' | b'_' | b'P' | b'^', rest @ ..] => {
            match rest.iter().position(|byte| *byte == BELL || *byte == ESCAPE) {
                Some(end) if rest[end] == BELL => 2 + end + 1,
                Some(end) if rest.get(end + 1) == Some(&b'\\') => 2 + end + 2,
                Some(end) => 2 + end,
                None => bytes.len(),
            }
        }
        [ESCAPE, next, ..] if next.is_ascii() => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_goes_and_text_stays() {
        for (line, text) in [
            ("plain é", "plain é"),
            ("\x1b[91mE\x1b[0m\x1b[91m: Unable\x1b[0m", "E: Unable"),
            ("\x1b_bk;t=1690000000000\x07make", "make"),
            ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1b[38;5;1mé\x1b[K", "é"),
            ("cut \x1b[3", "cut "),
            ("cut \x1b", "cut "),
            ("\x1bé", "é"),
        ] {
            assert_eq!(strip(line), text);
        }
    }
}
