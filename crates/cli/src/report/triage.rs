//! What a log says, in words.

use std::fmt::Write as _;

use triage::{LogVerdict, Verdict};

use super::{name_of, style, text, verdict};

/// The verdict on a log: what failed, where, whose it is, and what next.
pub(crate) fn words(read: &LogVerdict) -> String {
    let LogVerdict { schema: _, verdict: end, failure, lines } = read;
    let (good, bad, warning) = (style::GOOD, style::ERROR, style::WARNING);
    let (faint, hint) = (style::FAINT, style::HINT);
    let mut words = match end {
        Verdict::Passed => format!("{good}PASSED{good:#}"),
        Verdict::Failed => format!("{bad}FAILED{bad:#}"),
        Verdict::Inconclusive => format!("{warning}INCONCLUSIVE{warning:#}"),
    };
    if let Some(failure) = failure {
        let _ = write!(words, "  {}", failure.code.name());
    }
    let _ = writeln!(words, "  {faint}{lines} lines{faint:#}");
    let Some(failure) = failure else {
        if *end == Verdict::Inconclusive {
            words.push_str(
                "  the log neither ends well nor shows a failure: it is cut, or not a build's\n",
            );
        }
        return words;
    };
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(words, "  {name:<7} {}", text::plain(value));
    };
    row("what", &failure.summary);
    match &failure.source {
        Some(place) => row(
            "where",
            &format!(
                "{}:{}:{} ({})",
                place.file,
                place.line,
                place.column,
                name_of(&failure.phase)
            ),
        ),
        None => row("where", &name_of(&failure.phase)),
    }
    if let Some(instruction) = &failure.instruction {
        row("step", &one_line(instruction));
    }
    row("whose", verdict::whose(failure.owner));
    row("retry", &verdict::retry(failure));
    if let Some(code) = failure.exit_code {
        row("exit", &code.to_string());
    }
    for line in &failure.evidence {
        let _ = writeln!(words, "  {faint}{:>7} |{faint:#} {}", line.line, text::plain(&line.text));
    }
    if let Some(advice) = &failure.hint {
        let _ = writeln!(words, "  {hint}next{hint:#}    {}", text::plain(advice));
    }
    let _ = writeln!(words, "  {faint}more: drydock explain {}{faint:#}", failure.code.name());
    words
}

/// The first words of a step: a probe has 3,400 letters.
fn one_line(text: &str) -> String {
    let mut words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = words.char_indices().nth(120) {
        words.truncate(cut);
        words.push_str(" …");
    }
    words
}
