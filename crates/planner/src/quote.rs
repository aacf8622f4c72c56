//! Quoting, one function for each form that a text can take in a Dockerfile.

use std::fmt::Write as _;

/// A physical line of a Dockerfile may have 65,535 bytes; ours stop long before.
const LINE_BYTES: usize = 16 * 1024;

/// One word of `sh`, whatever it holds.
pub(crate) fn shell_word(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Whether a text means itself in every form.
pub(crate) fn is_plain(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    !text.is_empty() && text.chars().all(plain)
}

/// A value behind `ENV NAME=` or the argument of `WORKDIR`: the builder takes away the quotes,
/// and expands nothing. Control characters (a newline above all) have no form here.
pub(crate) fn env_value(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

/// Whether [`env_value`] can carry the text.
pub(crate) fn fits_env_value(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() && c != '\t')
}

/// A path in the JSON form of `COPY`: the builder expands `$` and takes away quotes and
/// backslashes even there, after it has read the JSON.
pub(crate) fn copy_word(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '"' | '\'' | '\\' | '$') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

/// An argument vector in JSON form, broken after each newline of a text so that it can be read.
///
/// A line ends with the builder's own continuation, which it takes out again before it reads the
/// JSON. It also drops lines that are blank or start with `#`, and sees no continuation behind two
/// backslashes: so a leading `#` is written as an escape, and a line is never cut behind a backslash.
pub(crate) fn json_form(arguments: &[&str]) -> String {
    let mut form = Form::default();
    form.push("[");
    for (index, argument) in arguments.iter().enumerate() {
        form.push(if index == 0 { "\"" } else { ", \"" });
        let last = argument.len();
        for (at, c) in argument.char_indices() {
            form.character(c);
            if c == '\n' && at + 1 < last {
                form.break_line();
            }
        }
        form.push("\"");
    }
    form.push("]");
    form.text
}

/// The text so far, and what its last line holds.
#[derive(Default)]
struct Form {
    text: String,
    line_start: usize,
}

impl Form {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn character(&mut self, c: char) {
        let full = self.text.len() - self.line_start >= LINE_BYTES;
        if full && !self.text.ends_with('\\') {
            self.break_line();
        }
        match c {
            '"' => self.push("\\\""),
            '\\' if full => self.push("\\u005c"),
            '\\' => self.push("\\\\"),
            '\n' => self.push("\\n"),
            '\t' => self.push("\\t"),
            '#' if self.line_start > 0 && self.text[self.line_start..].trim().is_empty() => {
                self.push("\\u0023");
            }
            // Whatever else is invisible arrives all the same, but can be seen.
            c if c.is_control() => {
                let _ = write!(self.text, "\\u{:04x}", u32::from(c));
            }
            c => self.text.push(c),
        }
    }

    fn break_line(&mut self) {
        self.push("\\\n");
        self.line_start = self.text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_sh() {
        assert_eq!(shell_word("/workspace/a-b"), "/workspace/a-b");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("it's $x"), r"'it'\''s $x'");
    }

    #[test]
    fn json_form_breaks_lines_and_hides_comment_signs() {
        let form = json_form(&["/bin/sh", "-lc", "set -eu\n# note\necho \"a\\\\\"\n\ndone"]);
        let lines: Vec<&str> = form.lines().collect();
        assert_eq!(
            lines,
            [
                r#"["/bin/sh", "-lc", "set -eu\n\"#,
                r"\u0023 note\n\",
                r#"echo \"a\\\\\"\n\"#,
                r"\n\",
                r#"done"]"#
            ]
        );
    }
}
