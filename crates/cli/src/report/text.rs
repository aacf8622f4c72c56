//! Text that others wrote, made safe for a terminal.

use std::borrow::Cow;

/// Removes escape sequences, and shows what control characters are left as pictures.
///
/// A step's output, an author's file and an engine's error may hold sequences that move the cursor,
/// set the title or hide text; a report must show what is there and do nothing else.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| !c.is_control() && !is_direction(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let stripped = anstream::adapter::strip_str(text).to_string();
    Cow::Owned(stripped.chars().map(|c| if harmless(c) { c } else { picture(c) }).collect())
}

/// [`plain`] for a text of several lines, which stay several lines.
pub(crate) fn plain_lines(text: &str) -> String {
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

/// Shows control characters as pictures, one for one: columns stay where they were.
pub(crate) fn visible(line: &str) -> String {
    let harmless = |c: char| !c.is_control() && !is_direction(c);
    line.chars().map(|c| if harmless(c) { c } else { picture(c) }).collect()
}

/// Marks that turn the direction of writing, and so can make a line look like another one.
pub(crate) const fn is_direction(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}')
}

/// A printable stand-in for one control character.
fn picture(c: char) -> char {
    match u32::from(c) {
        9 => ' ',
        code @ 0..=0x1F => char::from_u32(0x2400 + code).unwrap_or('\u{FFFD}'),
        0x7F => '\u{2421}',
        _ => '\u{FFFD}',
    }
}

/// The first line of `text`, made safe, cut to `width` characters.
pub(crate) fn first_line(text: &str, width: usize) -> String {
    let line = plain(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
    let line = line.trim();
    let longer = text.trim().lines().nth(1).is_some() || line.chars().count() > width;
    let mut short: String =
        line.chars().take(if longer { width.saturating_sub(1) } else { width }).collect();
    if longer {
        short.push('…');
    }
    short
}

/// A time in the unit that suits it.
pub(crate) fn time(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms / 1_000 % 60),
    }
}

/// A size in the unit that suits it.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{}.{} GB", bytes / 1_000_000_000, bytes / 100_000_000 % 10),
    }
}

/// `1 environment`, `2 environments`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_can_act_on_a_terminal() {
        for (text, shown) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}x", "x"),
            ("a\rb", "a\u{240D}b"),
            ("a\tb", "a b"),
            ("a\u{202E}b", "a\u{FFFD}b"),
            ("bell\u{7}", "bell"),
        ] {
            assert_eq!(plain(text), shown, "{text:?}");
        }
    }

    #[test]
    fn a_first_line_is_cut_and_says_so() {
        assert_eq!(first_line("RUN true", 20), "RUN true");
        assert_eq!(first_line("\n  RUN true \\\n  && false", 20), "RUN true \\…");
        assert_eq!(first_line("RUN a-long-command", 8), "RUN a-l…");
    }
}
