//! A failure in words: what, where, whose, whether to retry, what shows it, and what next.

use std::fmt::Write as _;

use triage::{Code, Failure, Owner, Retry};

use super::{name_of, style, text};

/// How wide a step's text may be: a probe has 3,400 letters.
const STEP: usize = 120;

/// The failure, and the last lines of what failed where they are known.
pub(super) fn words(failure: &Failure, last_words: &[String]) -> String {
    let (faint, hint) = (style::FAINT, style::HINT);
    let mut words = String::new();
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(words, "  {name:<7} {}", text::plain(value));
    };
    let phase = name_of(&failure.phase);
    row("what", &failure.summary);
    row(
        "where",
        &failure.source.as_ref().map_or_else(
            || phase.clone(),
            |place| format!("{}:{}:{} ({phase})", place.file, place.line, place.column),
        ),
    );
    // The author's file says it better than the Dockerfile.
    if let (None, Some(instruction)) = (&failure.source, &failure.instruction) {
        row("step", &text::first_line(instruction, STEP));
    }
    row("whose", whose(failure.owner));
    row("retry", &retry(failure));
    if let Some(code) = failure.exit_code {
        row("exit", &code.to_string());
    }
    for line in &failure.evidence {
        let _ = writeln!(words, "  {faint}{:>7} |{faint:#} {}", line.line, text::plain(&line.text));
    }
    let seen = |line: &str| failure.evidence.iter().any(|seen| seen.text.trim() == line);
    // What nothing is known of has its last lines for evidence; what precedes them would stand below.
    let closes = failure.code == Code::Unclassified && !failure.evidence.is_empty();
    let said = |line: &&String| !closes && !line.trim().is_empty() && !seen(line.trim());
    let unseen: Vec<&String> = last_words.iter().filter(said).collect();
    if !unseen.is_empty() {
        let _ = writeln!(words, "  {faint}last lines:{faint:#}");
    }
    for line in unseen {
        let _ = writeln!(words, "  {faint}{:>7} |{faint:#} {}", "", text::plain(line));
    }
    if let Some(advice) = &failure.hint {
        let _ = writeln!(words, "  {hint}next{hint:#}    {}", text::plain(advice));
    }
    let _ = writeln!(words, "  {faint}more: drydock explain {}{faint:#}", failure.code.name());
    words
}

/// Who must act, in words.
pub(super) const fn whose(owner: Owner) -> &'static str {
    match owner {
        Owner::Author => "the author of the definition or the repository",
        Owner::BaseImage => "the base image",
        Owner::Infrastructure => "infrastructure: engine, registry, network or mirror",
        Owner::Tool => "Drydock: please report it",
    }
}

/// Whether trying again can help, in words.
pub(super) fn retry(failure: &Failure) -> String {
    match (failure.retry, failure.retry_after_s) {
        (Retry::Never, _) => "no: it will fail again".to_owned(),
        (Retry::Later, None) => "yes: it may pass later".to_owned(),
        (Retry::Later, Some(wait)) => format!("yes: after {}", text::time(wait * 1_000)),
    }
}
