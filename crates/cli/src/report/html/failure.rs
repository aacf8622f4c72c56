//! The verdict with its evidence: what, where, whose, whether again, and the lines that say so.

use super::super::{failure, name_of};
use super::markup::Page;
use crate::recording::Case;

/// What failed, if anything did.
pub(super) fn section(page: &mut Page, case: &Case, run: &Case) {
    let Some(failure) = case.outcome.as_ref().and_then(|outcome| outcome.failure.as_ref()) else {
        return;
    };
    page.leaf("h3", &[], "What failed");
    let place = failure
        .source
        .as_ref()
        .map(|place| format!("{}:{}:{}", case.path(&place.file), place.line, place.column));
    let rows = [
        ("what", Some(failure.summary.clone())),
        ("code", case.code()),
        ("phase", Some(name_of(&failure.phase))),
        ("where", place),
        ("instruction", failure.instruction.clone()),
        ("whose", Some(failure::whose(failure.owner).to_owned())),
        ("retry", Some(failure::retry(failure))),
        ("exit code", failure.exit_code.map(|code| code.to_string())),
        ("next", failure.hint.clone()),
    ];
    page.element("dl", &[("class", "failure")], |page| {
        for (name, value) in rows {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                page.leaf("dt", &[], name);
                page.leaf("dd", &[("data-row", name)], &value);
            }
        }
    });
    if !failure.evidence.is_empty() {
        page.leaf("h4", &[], "Evidence");
        let pre = [("class", "evidence"), ("tabindex", "0"), ("aria-label", "evidence")];
        page.element("pre", &pre, |page| {
            for line in &failure.evidence {
                page.leaf("span", &[("class", "number")], &line.line.to_string());
                page.lines([&line.text]);
            }
        });
    }
    let Some(span) = run.failed_span().filter(|span| !span.output.is_empty()) else { return };
    page.leaf("h4", &[], "Last lines of the step that failed");
    page.element("pre", &[("tabindex", "0"), ("aria-label", "last lines")], |page| {
        let dropped = span.output.dropped();
        if dropped > 0 {
            page.leaf("span", &[("class", "faint")], &format!("… {dropped} lines before these"));
            page.literal("\n");
        }
        page.lines(span.output.lines());
    });
}
