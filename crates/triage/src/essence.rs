//! What stays the same about a step however a builder shows it.

/// Shells in front of a command, and the settings that the platform puts behind them.
const SHELLS: [&str; 9] = [
    "/dev/.buildkit_qemu_emulator",
    "/bin/sh-lc",
    "/bin/sh-c",
    "/bin/bash-c",
    "/bin/bash-l-c",
    "sh-lc",
    "sh-c",
    "set-eu;",
    "set-eu",
];

/// What remains of an instruction or a command when shells, quotes, escapes and blanks are taken
/// away: builders show the same step in many ways.
pub(crate) fn essence(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix("RUN ").map_or(text, without_flags);
    let text = text.replace("\\n", " ").replace("\\t", " ");
    let mut essence: String = text
        .chars()
        .filter(|c| {
            !c.is_whitespace() && !matches!(c, '"' | '\'' | ',' | '[' | ']' | '\\' | '(' | ')')
        })
        .collect();
    for shell in SHELLS {
        if let Some(rest) = essence.strip_prefix(shell) {
            essence = rest.to_owned();
        }
    }
    essence
}

/// The command behind the flags of a `RUN`: an error names the command alone.
fn without_flags(mut text: &str) -> &str {
    text = text.trim_start();
    while ["--mount=", "--network=", "--security=", "--device="]
        .iter()
        .any(|flag| text.starts_with(flag))
    {
        text = text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
    }
    text
}
