//! What CI systems and tools put in front of each line, taken off.

/// A line without what was put in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrapped<'a> {
    /// The line.
    pub(super) text: &'a str,
    /// The mark of a CI system or a tool that was in front.
    pub(super) mark: Option<Mark>,
}

/// A mark in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The line reports an error of the job.
    Error,
    /// The line is a mere warning of the job.
    Warning,
    /// The line is the last word of a program that gives up.
    Fatal,
    /// The line is a command that the job runs.
    Command,
    /// The line is the title of what folds together: of a step of GitHub Actions.
    Group,
}

/// Prefixes may be nested: a time stamp in front of a service's name.
const DEEPEST: usize = 6;

/// Takes off time stamps, tags of jobs and services, and marks.
pub(super) fn strip(line: &str) -> Wrapped<'_> {
    let mut text = line.strip_prefix('\u{feff}').unwrap_or(line);
    let mut mark = None;
    for _ in 0..DEEPEST {
        let Some((rest, found)) = prefix(text) else { break };
        text = rest;
        mark = mark.or(found);
    }
    Wrapped { text, mark }
}

/// One prefix, by its first byte; most lines have none, and are told by that byte alone.
fn prefix(text: &str) -> Option<(&str, Option<Mark>)> {
    let bytes = text.as_bytes();
    let plain = |rest| Some((rest, None));
    let special = match *bytes.first()? {
        b'0'..=b'9' => {
            return stamp(text)
                .or_else(|| counted(text))
                .or_else(|| line_number(text))
                .and_then(plain);
        }
        b'[' => return bracket(text).and_then(plain),
        b'#' => return github(text, "##["),
        b':' => return workflow_command(text),
        b'r' => text.strip_prefix("remote: ").and_then(plain),
        b's' if bytes.starts_with(b"section_") => plain(""),
        b'S' => step_tag(text).and_then(plain),
        b't' if bytes.starts_with(b"time=\"") => logfmt(text),
        b'l' if bytes.starts_with(b"level=") => logfmt(text),
        _ => None,
    };
    let general = || {
        run_view(text).or_else(|| logger(text)).or_else(|| journal(text)).or_else(|| service(text))
    };
    special.or_else(|| general().and_then(plain))
}

/// `::error::`, `::group::` of GitHub Actions.
fn workflow_command(text: &str) -> Option<(&str, Option<Mark>)> {
    let (command, rest) = text.strip_prefix("::")?.split_once("::")?;
    match command.split_whitespace().next()? {
        "error" => Some((rest, Some(Mark::Error))),
        "warning" => Some((rest, Some(Mark::Warning))),
        "group" => Some((rest, Some(Mark::Group))),
        "endgroup" | "notice" | "debug" => Some((rest, None)),
        _ => None,
    }
}

/// `build.sh[128699]: ` of systemd's journal. `make[2]: ` is make's own.
fn journal(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('[')?;
    let (pid, rest) = rest.split_once("]: ")?;
    let word = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    (word && pid.len() > 2 && pid.bytes().all(|b| b.is_ascii_digit())).then_some(rest)
}

/// `job<TAB>step<TAB>stamp ` of `gh run view --log`.
fn run_view(text: &str) -> Option<&str> {
    const LONGEST_NAMES: usize = 256;
    let names = text.as_bytes().get(..text.len().min(LONGEST_NAMES))?;
    let step = memchr::memchr(b'\t', names)? + 1;
    let line = step + memchr::memchr(b'\t', names.get(step..)?)? + 1;
    let rest = text.get(line..)?;
    let rest = rest.strip_prefix('\u{feff}').unwrap_or(rest);
    stamp(rest).map(|_| rest)
}

/// `info  kanikoExecute - ` of SAP's library for Jenkins.
fn logger(text: &str) -> Option<&str> {
    let level = text.get(..6)?;
    if !["info  ", "warn  ", "error ", "fatal ", "debug "].contains(&level) {
        return None;
    }
    let (name, rest) = text[6..].split_once(" - ")?;
    let word = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
    word.then_some(rest)
}

/// `##[error]`, `##[command]`, `##[group]` of GitHub Actions and Azure Pipelines.
fn github<'a>(text: &'a str, before: &str) -> Option<(&'a str, Option<Mark>)> {
    let (word, rest) = text.strip_prefix(before)?.split_once(']')?;
    let mark = match word {
        "error" => Some(Mark::Error),
        "command" => Some(Mark::Command),
        "warning" => Some(Mark::Warning),
        "group" => Some(Mark::Group),
        "endgroup" | "section" | "debug" | "notice" => None,
        _ => return None,
    };
    Some((rest, mark))
}

/// `36 | `, the number of the line on a page of CodeBuild's. A Dockerfile's lines are indented.
fn line_number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..)?.strip_prefix(" |")?;
    let said = rest.strip_prefix(' ').unwrap_or(rest);
    (!said.starts_with(">>> ")).then_some(said)
}

/// A time stamp and the blank behind it.
fn stamp(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let shape = |pattern: &[u8]| {
        bytes.len() >= pattern.len()
            && pattern.iter().zip(bytes).all(|(want, have)| match want {
                b'0' => have.is_ascii_digit(),
                b'T' => matches!(have, b'T' | b' '),
                b'/' => matches!(have, b'/' | b'-'),
                _ => want == have,
            })
    };
    let mut end = if shape(b"0000/00/00T00:00:00") {
        19
    } else if shape(b"00:00:00") {
        8
    } else {
        return None;
    };
    let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if matches!(bytes.get(end), Some(b'.' | b',')) && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if bytes.get(end) == Some(&b'Z') {
        end += 1;
    } else if matches!(bytes.get(end), Some(b'+' | b'-')) && digits(end + 1) >= 2 {
        end +=
            1 + bytes[end + 1..].iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
    }
    // GitLab's runner says behind the stamp which stream it was.
    if shape_at(bytes, end) {
        end += 4;
        return Some(text.get(end + 1..).unwrap_or(""));
    }
    let rest = text.get(end..)?;
    if rest.is_empty() {
        return Some(rest);
    }
    // Netlify counts to twelve; it and Codespaces put a colon behind the stamp.
    let rest = rest.strip_prefix(" AM").or_else(|| rest.strip_prefix(" PM")).unwrap_or(rest);
    if let Some(rest) = rest.strip_prefix(": ") {
        return Some(rest);
    }
    let rest = rest.strip_prefix([' ', '\t'])?;
    // Jenkins puts two blanks, GitHub one; a blank of the line itself must stay.
    let of_jenkins = end == 8 || bytes.get(10) == Some(&b' ') && bytes.get(end - 1) != Some(&b'Z');
    Some(if of_jenkins { rest.strip_prefix(' ').unwrap_or(rest) } else { rest })
}

/// `297.4s | 06:56:45 INFO  ` of E2B's SDK; `1>` of MSBuild.
fn counted(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(rest) = text[digits..].strip_prefix('>') {
        return (digits < 3).then_some(rest);
    }
    let (time, rest) = text.split_once('|')?;
    let time = time.trim_end().strip_suffix('s')?;
    if time.is_empty() || !time.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let rest = stamp(rest.strip_prefix(' ')?)?;
    let rest = ["INFO ", "WARN ", "ERROR", "DEBUG"].iter().find_map(|it| rest.strip_prefix(it))?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

/// ` 00O ` or ` 01E+`: GitLab's stream mark.
fn shape_at(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at..at + 5), Some([b' ', a, b, b'O' | b'E', b' ' | b'+'])
        if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
        || matches!(bytes.get(at..), Some([b' ', a, b, b'O' | b'E'])
            if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

/// `[2026-08-17T20:54:22.518Z] `, `[   75s] `, `[94042 ms] `, `[task : step] `, `[web]            `,
/// `[Container] `, `[command]`.
fn bracket(text: &str) -> Option<&str> {
    let (inside, rest) = text[1..].split_once(']')?;
    if inside.len() > 64 {
        return None;
    }
    let padded = rest.is_empty() || rest.starts_with("  ");
    let word = !inside.is_empty()
        && inside
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':'));
    let is_stamp = stamp(inside).is_some_and(str::is_empty);
    let counted = inside
        .trim_start()
        .strip_suffix('s')
        .map(|n| n.strip_suffix(" m").unwrap_or(n))
        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    if inside == "command" {
        return Some(rest);
    }
    // Tekton, kubectl and Drone name the container in front of each line, TeamCity the step.
    let container =
        inside.contains(" : ") || inside.starts_with("pod/") || inside.starts_with("Step ");
    let numbered = word
        && inside.split_once(':').is_some_and(|(name, line)| {
            name.bytes().any(|b| b.is_ascii_alphabetic())
                && !line.is_empty()
                && line.bytes().all(|b| b.is_ascii_digit())
        });
    // TeamCity's mark of the kind of message.
    let rest = match rest.split_once(':') {
        Some((kind, text)) if is_stamp && kind.trim().len() <= 1 => {
            // A page shows its tab as blanks.
            let shown = text.trim_start();
            if text.starts_with('\t') || shown.starts_with('[') && text.len() > shown.len() + 1 {
                shown
            } else {
                rest
            }
        }
        _ => rest,
    };
    // act and Forgejo's runner name workflow and job.
    if let Some(said) = rest.strip_prefix("   | ").filter(|_| inside.contains('/')) {
        return Some(said);
    }
    if inside.contains('/') && rest.trim_start().starts_with('🏁') {
        return Some(rest.trim_start());
    }
    if is_stamp || counted || container || numbered {
        let rest = rest.strip_prefix('\t').unwrap_or(rest);

        return Some(rest.strip_prefix(' ').unwrap_or(rest));
    }
    // A service's name is padded to a column; `[1/4] Resolving` and `[ERROR] x` are not.
    (word && padded && !inside.bytes().all(|b| b.is_ascii_digit())).then(|| {
        let indent = rest.len() - rest.trim_start().len();
        rest.get(indent..).unwrap_or("")
    })
}

/// `Step #0 - "build": ` of Google's Cloud Build.
fn step_tag(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("Step #")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rest = rest.get(digits..)?;
    let rest = match rest.strip_prefix(" - \"") {
        Some(named) => named.split_once('"')?.1,
        None => rest,
    };
    let rest = rest.strip_prefix(':')?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

/// `web-1  | ` of Compose.
fn service(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('|')?;
    let word = name.trim_end();
    let named = !word.is_empty()
        && word.len() < 64
        && name.len() > word.len()
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        && word.bytes().any(|b| b.is_ascii_alphabetic())
        && (rest.is_empty() || rest.starts_with(' '));
    named.then(|| rest.strip_prefix(' ').unwrap_or(rest))
}

/// `time="…" level=error msg="…"` of Podman, Buildah and Docker's own programs.
fn logfmt(text: &str) -> Option<(&str, Option<Mark>)> {
    let mark = if text.contains("level=fatal") {
        Some(Mark::Fatal)
    } else {
        text.contains("level=error").then_some(Mark::Error)
    };
    let message = text.split_once("msg=")?.1;
    let message = message.strip_prefix('"').and_then(|m| m.strip_suffix('"')).unwrap_or(message);
    Some((message, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_go_and_lines_stay() {
        for (line, text, mark) in [
            ("2026-07-14T14:26:12.1234567Z #8 0.1 x", "#8 0.1 x", None),
            ("2026-07-14T14:26:12.1234567Z  > [2/9] RUN x:", " > [2/9] RUN x:", None),
            (
                "2026-07-14T14:26:12.1234567Z ##[error]buildx failed",
                "buildx failed",
                Some(Mark::Error),
            ),
            ("[2026-08-17T20:54:22.518Z] [+] Building 8.8s (2/3)", "[+] Building 8.8s (2/3)", None),
            ("16:14:15  + docker build .", "+ docker build .", None),
            ("16:14:15   > [2/9] RUN x:", " > [2/9] RUN x:", None),
            ("[   75s] make: *** x", "make: *** x", None),
            ("2024-03-01 11:23:49.582Z: #5 DONE 1s", "#5 DONE 1s", None),
            ("10:15:30 AM: npm ERR! code ERESOLVE", "npm ERR! code ERESOLVE", None),
            ("[94042 ms] #5 DONE 1s", "#5 DONE 1s", None),
            ("[build : push] INFO[0003] RUN x", "INFO[0003] RUN x", None),
            ("build.sh[128699]: STEP 1: FROM x", "STEP 1: FROM x", None),
            ("make[2]: *** [all] Error 1", "make[2]: *** [all] Error 1", None),
            ("[10:15:32] :\t [Step 1/3] Step 4/12 : RUN x", "Step 4/12 : RUN x", None),
            ("[10:15:32]W:\t [Step 1/3] make: *** x", "make: *** x", None),
            ("[build:12] #5 DONE 1s", "#5 DONE 1s", None),
            ("[pod/build-1/kaniko] INFO[0003] RUN x", "INFO[0003] RUN x", None),
            ("info  kanikoExecute - INFO[0003] RUN x", "INFO[0003] RUN x", None),
            (
                "error Command failed with exit code 1.",
                "error Command failed with exit code 1.",
                None,
            ),
            ("remote: Step 1/2 : FROM x", "Step 1/2 : FROM x", None),
            ("[web]            Step 4/17 : RUN x", "Step 4/17 : RUN x", None),
            ("[web]", "", None),
            ("[1/4] Resolving packages...", "[1/4] Resolving packages...", None),
            ("[+] Building 1.3s (3/3) FINISHED", "[+] Building 1.3s (3/3) FINISHED", None),
            ("[ERROR] Failed to execute goal", "[ERROR] Failed to execute goal", None),
            ("2024-07-01T12:00:00.123456Z 01O #5 DONE 1s", "#5 DONE 1s", None),
            ("0.3s  | 06:51:48 INFO  [base] FROM x [e]", "[base] FROM x [e]", None),
            ("1297.4s | 06:56:45 ERROR Build failed: x", "Build failed: x", None),
            ("1>Step 7/16 : RUN x", "Step 7/16 : RUN x", None),
            ("12 | >>> RUN x", "12 | >>> RUN x", None),
            ("Step #0 - \"build\": #5 DONE 1s", "#5 DONE 1s", None),
            ("Step 4/17 : RUN x", "Step 4/17 : RUN x", None),
            ("web-1  | ready", "ready", None),
            ("::error::buildx failed", "buildx failed", Some(Mark::Error)),
            ("##[command]/usr/bin/docker build", "/usr/bin/docker build", Some(Mark::Command)),
            (
                "time=\"2026-01-01T00:00:00Z\" level=error msg=\"exit status 1\"",
                "exit status 1",
                Some(Mark::Error),
            ),
            (
                "2015/02/01 12:00:00 The command [/bin/sh -c a] returned",
                "The command [/bin/sh -c a] returned",
                None,
            ),
            ("   4 | >>> RUN x", "   4 | >>> RUN x", None),
            ("0.214 text", "0.214 text", None),
        ] {
            assert_eq!(strip(line), Wrapped { text, mark }, "{line}");
        }
    }
}
