//! Findings in words: the place, the author's line with a caret, what was expected, what to write.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use environment::{Finding, Severity};

use super::{note, text};

/// How many findings are shown in full; beyond it they are counted.
const MOST: usize = 200;

/// Prints all findings to standard error, and a line that counts them.
pub(crate) fn print(findings: &[Finding]) {
    for finding in findings.iter().take(MOST) {
        note(&format!("{}\n\n", words(finding)));
    }
    if findings.len() > MOST {
        note(&format!("… and {} more (`--json` has all)\n", findings.len() - MOST));
    }
    if let Some(line) = tally(findings) {
        note(&format!("{line}\n"));
    }
}

/// Whether a finding stops the command.
pub(crate) fn has_error(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// `2 errors, 1 warning`; `None` when there is nothing.
pub(crate) fn tally(findings: &[Finding]) -> Option<String> {
    let counted =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")].map(
            |(severity, noun)| (findings.iter().filter(|f| f.severity == severity).count(), noun),
        );
    let parts: Vec<String> =
        counted.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| text::count(*n, noun)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// One finding in words, with colour codes that the stream removes where they are not wanted.
pub(crate) fn words(finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(text::plain(&finding.message)).id(finding.code.name());
    let mut group = match &finding.place {
        None => Group::with_title(title),
        Some(place) => {
            let origin = Origin::path(text::plain(place.file.as_str()).into_owned())
                .line(place.line as usize)
                .char_column(place.column as usize);
            // The snippet gets no path: it would count the column in the excerpt, which need not
            // begin where the line does.
            let group = title.element(origin);
            match &finding.excerpt {
                None => group,
                Some(excerpt) => {
                    let line = text::visible(&excerpt.line);
                    let span = span(&line, excerpt.start, excerpt.len);
                    let annotation = AnnotationKind::Primary.span(span);
                    let snippet = Snippet::source(line)
                        .line_start(place.line as usize)
                        .annotation(annotation);
                    group.element(snippet)
                }
            }
        }
    };
    if let Some(expected) = &finding.expected {
        group = group.element(Level::NOTE.with_name("expected").message(text::plain(expected)));
    }
    if let Some(hint) = &finding.hint {
        group = group.element(Level::HELP.with_name("hint").message(text::plain(hint)));
    }
    let mut words: String = Renderer::styled()
        .render(&[group])
        .split_inclusive('\n')
        .filter(|line| !is_second_origin(line))
        .collect();
    for related in &finding.related {
        let _ = write!(words, "\n   {}: {}", related.place, text::plain(&related.message));
    }
    words
}

/// Whether this is the mark that the renderer draws before a snippet without a path.
fn is_second_origin(line: &str) -> bool {
    anstream::adapter::strip_str(line).to_string().trim() == ":::"
}

/// The bytes that a run of characters takes.
fn span(line: &str, start: u32, len: u32) -> std::ops::Range<usize> {
    let at = |index: usize| line.char_indices().nth(index).map_or(line.len(), |(byte, _)| byte);
    let (from, to) = (at(start as usize), at(start.saturating_add(len) as usize));
    from..to.max(from)
}
