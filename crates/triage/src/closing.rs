//! The error with which a builder ends: which command failed with which exit code, or what else.
//!
//! Builders put the step's own text into that error, so it must be taken out before anything in
//! the error is believed.

/// What an error of a builder says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Closing {
    /// The command or instruction, as far as the builder quotes it.
    pub(crate) command: Option<String>,
    /// The exit code.
    pub(crate) exit: Option<i64>,
    /// The words of the error, without the quoted command.
    pub(crate) message: String,
}

impl Closing {
    /// Whether it only says that a command ended with a code.
    pub(crate) const fn is_exit(&self) -> bool {
        self.exit.is_some()
    }
}

/// How a builder quotes the command: what stands before it, what after it.
const QUOTES: [(&str, &str); 8] = [
    // BuildKit since 0.10.
    ("process \"", "\" did not complete successfully"),
    // BuildKit before that, and dockerd 20.10.
    ("executor failed running [", "]: "),
    // dockerd's classic builder; with brackets before 1.13.
    ("The command '", "' returned a non-zero code"),
    ("The command [", "] returned a non-zero code"),
    // Buildah.
    ("uilding at STEP \"", "\": "),
    ("error running container: error from ", "]: "),
    // E2B's template builder.
    ("failed to run command '", "': "),
    // kaniko quotes nothing; see below.
    ("failed to execute command: ", "waiting for process to exit"),
];

/// What stands before the exit code.
const CODES: [&str; 6] = [
    "exit code: ",
    "returned a non-zero code: ",
    "exit status ",
    "exit code ",
    "exited with code ",
    "non-zero status: ",
];

/// Reads an error of a builder.
pub(crate) fn read(text: &str) -> Closing {
    for (before, after) in QUOTES {
        let Some(start) = text.find(before) else { continue };
        let quoted = start + before.len();
        // The step's text may hold the same words: the last ones are the builder's. Buildah's are
        // short, and stand in its message again: there the first ones count.
        let end =
            if after == "\": " { text[quoted..].find(after) } else { text[quoted..].rfind(after) };
        let Some(end) = end.map(|at| quoted + at) else { continue };
        let rest = &text[end + after.len()..];
        let said = format!("{}{}{}", &text[..start], &after[after.len().min(1)..], rest);
        return Closing {
            command: Some(text[quoted..end].to_owned()).filter(|command| !command.is_empty()),
            exit: exit_code(&format!("{after}{rest}")),
            message: said,
        };
    }
    Closing { command: None, exit: None, message: text.to_owned() }
}

/// The exit code that a text names.
pub(crate) fn exit_code(text: &str) -> Option<i64> {
    CODES.iter().find_map(|before| {
        let rest = &text[text.rfind(before)? + before.len()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        rest[..digits].parse().ok()
    })
}

/// Whether a line is the error with which a builder names a failed command.
pub(crate) fn names_command(text: &str) -> bool {
    QUOTES.iter().any(|(before, after)| {
        text.find(before).is_some_and(|at| text[at + before.len()..].contains(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_taken_out_and_the_code_is_read() {
        for (text, command, exit) in [
            (
                r#"ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2"#,
                "/bin/sh -c make",
                Some(2),
            ),
            (
                r#"process "/bin/sh -c echo "x" did not complete successfully: exit code: 9"" did not complete successfully: exit code: 1"#,
                r#"/bin/sh -c echo "x" did not complete successfully: exit code: 9""#,
                Some(1),
            ),
            (
                "executor failed running [/bin/sh -c a[0]]: exit code: 100",
                "/bin/sh -c a[0]",
                Some(100),
            ),
            (
                "The command '/bin/sh -c 'a'' returned a non-zero code: 127",
                "/bin/sh -c 'a'",
                Some(127),
            ),
            (
                "2015/02/01 12:00:00 The command [/bin/sh -c a] returned a non-zero code: 7",
                "/bin/sh -c a",
                Some(7),
            ),
            (
                r#"error: build error: building at STEP "RUN dnf install": while running runtime: exit status 127"#,
                "RUN dnf install",
                Some(127),
            ),
            (
                "Build failed: failed to run command 'apt-get update': exit status 100",
                "apt-get update",
                Some(100),
            ),
        ] {
            let closing = read(text);
            assert_eq!(closing.command.as_deref(), Some(command), "{text}");
            assert_eq!(closing.exit, exit, "{text}");
            assert!(!closing.message.contains(command), "{text}: {}", closing.message);
        }
    }

    #[test]
    fn another_error_keeps_its_words() {
        let closing = read(
            r#"error building at STEP "COPY a /a": checking on sources: copier: stat: "/a": no such file or directory"#,
        );
        assert_eq!(closing.command.as_deref(), Some("COPY a /a"));
        assert!(closing.message.ends_with(r#"copier: stat: "/a": no such file or directory"#));
        assert!(!closing.is_exit());
        assert_eq!(
            read("toomanyrequests: x"),
            Closing { message: "toomanyrequests: x".into(), ..Closing::default() }
        );
    }
}
