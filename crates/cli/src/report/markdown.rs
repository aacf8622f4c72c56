//! Markdown: a table of all cases, then each one that needs a look. Also GitHub's job summary.

use std::fmt::Write as _;

use super::text;
use crate::judge::Standing;
use crate::recording::{Case, Recorded};

/// A job summary holds 1 MiB; what is longer is not shown at all.
const LONGEST: usize = 1_000_000;

/// How many lines of evidence, and of the failing step's output, are shown.
const LINES: usize = 20;

/// The whole document.
pub(crate) fn document(recorded: &Recorded) -> String {
    let mut page = format!("## {}\n\n", super::headline::headline(recorded));
    if let Some(facts) = facts(recorded) {
        let _ = writeln!(page, "{facts}\n");
    }
    page.push_str("| | case | base | builder | how it ended | time |\n|---|---|---|---|---|--:|\n");
    for (index, case) in recorded.cases.iter().enumerate() {
        let row = row(recorded, case);
        if page.len() + row.len() > LONGEST {
            let more = recorded.cases.len() - index;
            let _ = writeln!(page, "\n… and {more} more cases: see the JSON or HTML report");
            return page;
        }
        page.push_str(&row);
    }
    for case in &recorded.cases {
        let standing = case.judgement.standing;
        if matches!(standing, Standing::NotAsExpected | Standing::Infrastructure) {
            let section = section(recorded, case);
            if page.len() + section.len() > LONGEST {
                page.push_str("\n… what follows is in the JSON or HTML report\n");
                return page;
            }
            page.push_str(&section);
        }
    }
    page
}

fn facts(recorded: &Recorded) -> Option<String> {
    let commit =
        recorded.start.commit.as_deref().map(|commit| format!("commit `{}`", word(commit)));
    let engine = recorded.engine().map(|engine| inline(&engine));
    let parts: Vec<String> = commit.into_iter().chain(engine).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn row(recorded: &Recorded, case: &Case) -> String {
    let run = recorded.run_of(case);
    let time = match case.shared_with {
        Some(_) => "shared".to_owned(),
        None if case.attempts == 0 => String::new(),
        None => text::time(case.took_ms()),
    };
    format!(
        "| {} | {} | {} | {} | {} | {time} |\n",
        case.judgement.standing.sign(),
        inline(&case.about.name),
        inline(&case.about.base),
        inline(run.builder.as_deref().unwrap_or(&case.about.builder)),
        inline(&case.judgement.why),
    )
}

fn section(recorded: &Recorded, case: &Case) -> String {
    let mut page =
        format!("\n### {} {}\n\n", case.judgement.standing.sign(), inline(&case.about.name));
    let _ = writeln!(page, "{}\n", inline(&case.judgement.why));
    let Some(failure) = case.outcome.as_ref().and_then(|outcome| outcome.failure.as_ref()) else {
        return page;
    };
    let _ = writeln!(page, "- **what** {}", inline(&failure.summary));
    if let Some(place) = &failure.source {
        let (file, line) = (inline(&case.path(&place.file)), place.line);
        let _ = writeln!(page, "- **where** {file}:{line}:{}", place.column);
    }
    let _ = writeln!(page, "- **whose** {}", super::failure::whose(failure.owner));
    let _ = writeln!(page, "- **retry** {}", super::failure::retry(failure));
    if let Some(hint) = &failure.hint {
        let _ = writeln!(page, "- **next** {}", inline(hint));
    }
    let evidence: Vec<String> =
        failure.evidence.iter().map(|line| text::plain(&line.text).into_owned()).collect();
    page.push_str(&block("evidence", &evidence));
    let run = recorded.run_of(case);
    let output: Vec<String> =
        run.failed_span().map(|span| span.output.lines().collect()).unwrap_or_default();
    if output != evidence {
        page.push_str(&block("the failing step's last lines", &output));
    }
    page
}

/// Lines as a fenced block. Each begins with a bar, so that none can be a workflow command where the
/// document is printed into a job's log.
fn block(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let kept = &lines[lines.len().saturating_sub(LINES)..];
    let longest = kept.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let body: String = kept.iter().map(|line| format!("| {}\n", no_command(line))).collect();
    format!("\n{title}:\n\n{fence}text\n{body}{fence}\n")
}

/// Text that means nothing in Markdown, on one line.
pub(super) fn inline(text: &str) -> String {
    let plain = text::plain(text);
    let mut safe = String::with_capacity(plain.len());
    for c in no_command(&plain).chars() {
        // A backslash before ASCII punctuation shows just that character, everywhere but in code.
        if "\\`*_[]<>|#~!&$@".contains(c) {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

/// A commit for inside back quotes.
fn word(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).take(12).collect()
}

/// The old form of a workflow command counts anywhere in a line.
fn no_command(line: &str) -> String {
    line.replace("##[", "## [")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_can_end_its_fence_or_be_a_command() {
        let lines = ["````".to_owned(), "::error::x".to_owned(), "##[error]x".to_owned()];
        assert_eq!(
            block("evidence", &lines),
            "\nevidence:\n\n`````text\n| ````\n| ::error::x\n| ## [error]x\n`````\n"
        );
    }

    #[test]
    fn no_text_can_break_a_table_or_be_markup() {
        assert_eq!(inline("a|b\n<img src=x>*_`"), "a\\|b\u{240A}\\<img src=x\\>\\*\\_\\`");
    }
}
