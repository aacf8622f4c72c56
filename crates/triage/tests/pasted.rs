//! People paste a part of a log: the answer stays. A BuildKit log in its plain form is shown as a
//! terminal shows it, with rows that are cut at its edge, and without its head.

#![expect(clippy::disallowed_methods, reason = "a test reads its cases from files")]

#[expect(dead_code, reason = "each test reads its part of a case")]
#[path = "support/cases.rs"]
mod cases;

use cases::{Case, Got};
use triage::Verdict;

/// What a log says of its one failed step.
struct Failed<'a> {
    number: &'a str,
    title: &'a str,
    error: &'a str,
    /// The output, with the times in front.
    output: Vec<&'a str>,
    /// What follows the last rule.
    closing: &'a str,
}

#[test]
fn a_terminal_cuts_the_row() {
    same("row", |failed| {
        let row: String = failed.title.chars().take(70).collect();
        format!(
            " => ERROR {row}   2.3s\n------\n > {}:\n{}\n------\n{}",
            failed.title,
            failed.output.join("\n"),
            failed.closing
        )
    });
}

#[test]
fn the_quoted_block_is_all() {
    same("block", |failed| {
        format!(
            "------\n > {}:\n{}\n------\n{}",
            failed.title,
            failed.output.join("\n"),
            failed.closing
        )
    });
}

#[test]
fn the_last_lines_are_all() {
    same("output", |failed| format!("{}\n------\n{}", failed.output.join("\n"), failed.closing));
}

#[test]
fn the_lines_of_the_step_are_all() {
    same("step", |failed| {
        let number = failed.number;
        let lines: String =
            failed.output.iter().map(|line| format!("#{number} {line}\n")).collect();
        format!("{lines}#{number} ERROR: {}\n", failed.error)
    });
}

/// The parts of a log in BuildKit's plain form in which one step failed.
fn parts(log: &str) -> Option<Failed<'_>> {
    let mut errors = log.lines().filter(|line| line.starts_with('#') && line.contains(" ERROR: "));
    let (number, error) = errors.next()?.strip_prefix('#')?.split_once(" ERROR: ")?;
    let of_step = |line: &'_ str| -> Option<usize> {
        let rest = line.strip_prefix('#')?.strip_prefix(number)?.strip_prefix(' ')?;
        Some(line.len() - rest.len())
    };
    let lines = || log.lines().filter_map(|line| Some(&line[of_step(line)?..]));
    let title = lines().find(|line| line.starts_with('['))?;
    let output: Vec<&str> =
        lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    let (_, closing) = log.rsplit_once("\n------\n")?;
    let whole = !output.is_empty() && closing.contains("failed to ") && errors.next().is_none();
    (whole && !log.contains('\x1b') && !log.contains('\r')).then_some(Failed {
        number,
        title,
        error,
        output,
        closing,
    })
}

fn same(what: &str, paste: impl Fn(&Failed<'_>) -> String) {
    let mut all = cases::read("triage");
    all.extend(cases::read("triage-more"));
    let mut pasted = 0;
    let mut wrong = Vec::new();
    for Case { id, log, .. } in &all {
        let Ok(log) = std::str::from_utf8(log) else { continue };
        let before = Got::of(log.as_bytes());
        let Some(failed) = parts(log).filter(|_| before.verdict == Verdict::Failed) else {
            continue;
        };
        pasted += 1;
        let after = Got::of(paste(&failed).as_bytes());
        if before != after {
            wrong.push(format!("{id}:\n  before {before:?}\n  after  {after:?}"));
        }
    }
    assert!(pasted > 100, "only {pasted} cases could be pasted");
    assert!(wrong.is_empty(), "{what} changes {}:\n{}", wrong.len(), wrong.join("\n"));
}
