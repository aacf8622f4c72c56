//! Commands as a shell or a CI system echoes them: what guards them, and whether their failure is caught.

/// The command behind `$ ` or `+ `, or behind a prompt.
pub(super) fn command_of_trace(text: &str) -> Option<&str> {
    match text.as_bytes().first()? {
        b'$' => text.strip_prefix("$ "),
        b'+' => text.trim_start_matches('+').strip_prefix(' '),
        _ => typed(text),
    }
}

/// The command that somebody typed behind a prompt: `me@host:~/app$ `, `[root@host ~]# `,
/// `PS C:\\app> `.
pub(super) fn typed(text: &str) -> Option<&str> {
    const LONGEST_PROMPT: usize = 80;
    if let Some(rest) = text.strip_prefix("PS ") {
        let (place, command) = rest.split_once("> ")?;
        return (place.len() < LONGEST_PROMPT && place.contains(":\\")).then_some(command);
    }
    let start = text.as_bytes().get(..text.len().min(LONGEST_PROMPT))?;
    let at = memchr::memchr(b'@', start)?;
    let end = at + memchr::memchr2(b'$', b'#', start.get(at..)?)?;
    let command = text.get(end + 1..)?.strip_prefix(' ')?;
    let prompt = text.get(..end)?;
    let bracketed = prompt.starts_with('[') && prompt.ends_with(']');
    (bracketed || !prompt.contains(' ')).then_some(command)
}

/// The command without what tests or repeats it: `if ! docker pull x` runs `docker pull x`.
pub(super) fn guarded(command: &str) -> &str {
    const GUARDS: [&str; 9] =
        ["if ", "! ", "until ", "while ", "time ", "travis_retry ", "retry ", "(", "{ "];
    let mut rest = command.trim_start();
    while let Some(inner) = GUARDS.iter().find_map(|guard| rest.strip_prefix(guard)) {
        rest = inner.trim_start();
    }
    rest
}

/// Whether a command waits for something, trying again and again: what it says meanwhile is no failure.
pub(super) fn waits(command: &str) -> bool {
    ["until ", "while "]
        .iter()
        .any(|word| command.split_once(word).is_some_and(|(_, rest)| rest.contains("do ")))
}

/// Whether a script goes on when the command fails: behind `||`, in a condition, negated.
pub(super) fn is_caught(command: &str) -> bool {
    let command = command.trim_start();
    if ["until ", "while ", "! "].iter().any(|guard| command.starts_with(guard)) {
        return true;
    }
    if let Some(condition) = command.strip_prefix("if ") {
        // The branch that is taken when the command fails.
        let negated = condition.trim_start().starts_with("! ");
        let branch = if negated { "then" } else { "else" };
        return condition.split_once(branch).is_none_or(|(_, branch)| !gives_up(branch));
    }
    fallback(command).is_some_and(|other| !gives_up(other))
}

/// What stands behind the first `||` that is not in quotes.
fn fallback(command: &str) -> Option<&str> {
    let (mut quote, mut before) = (None, 0);
    for (at, byte) in command.bytes().enumerate() {
        match (quote, byte) {
            (None, b'\'' | b'"') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None, b'|') if before == b'|' => return command.get(at + 1..),
            _ => {}
        }
        before = byte;
    }
    None
}

/// Whether a script ends badly with these commands.
fn gives_up(commands: &str) -> bool {
    commands.split([';', '(', ')', '{', '}', '&', '|']).any(|command| {
        let mut words =
            command.split_whitespace().skip_while(|word| *word == "then" || *word == "else");
        match words.next() {
            Some("exit") => words.next() != Some("0"),
            Some("return" | "false" | "die" | "fail" | "abort") => true,
            _ => false,
        }
    })
}

/// The code with which a traced script ends by itself.
pub(super) fn exit(command: &str) -> Option<i64> {
    command.strip_prefix("exit ")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_caught_or_ends_the_script() {
        for (command, caught) in [
            ("docker pull x || true", true),
            ("docker pull a || docker pull b", true),
            ("docker pull a || { echo no; exit 1; }", false),
            ("docker pull a || exit 1", false),
            ("docker pull a || exit 0", true),
            ("./lint.sh || echo \"failed with exit status $?\"", true),
            ("docker pull a || (echo gone; false)", false),
            ("docker run x sh -c 'a || b'", false),
            ("if docker build .; then exit 1; fi", true),
            ("if ! docker build .; then echo expected; fi", true),
            ("if ! docker build .; then exit 1; fi", false),
            ("if docker build .; then echo ok; else exit 1; fi", false),
            ("until docker info; do sleep 1; done", true),
            ("! docker build .", true),
            ("docker build . && docker push x", false),
            ("docker build .", false),
        ] {
            assert_eq!(is_caught(command), caught, "{command}");
        }
    }

    #[test]
    fn prompts_are_told() {
        for (text, command) in [
            ("dima@build-1:~/app$ docker build .", Some("docker build .")),
            ("[root@host ~]# docker push x", Some("docker push x")),
            ("root@0a1b2c:/# ls", Some("ls")),
            ("PS C:\\app> docker build .", Some("docker build .")),
            ("++ docker build .", Some("docker build .")),
            ("mail me@example.org for $ 5", None),
            ("app@1.0.0 #1 is fine", None),
        ] {
            assert_eq!(command_of_trace(text), command, "{text}");
        }
    }

    #[test]
    fn guards_are_taken_off() {
        for (command, run) in [
            ("if ! docker pull x; then", "docker pull x; then"),
            ("travis_retry docker pull x", "docker pull x"),
            ("(docker pull x)", "docker pull x)"),
            ("docker pull x", "docker pull x"),
        ] {
            assert_eq!(guarded(command), run);
        }
    }
}
