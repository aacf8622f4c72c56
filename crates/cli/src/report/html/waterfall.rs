//! Where the time went: phases, and below each its steps, as bars on one scale.

use super::super::name_of;
use super::markup::Page;
use super::text;
use crate::recording::{Case, Span, SpanKey, SpanState};

/// How many of a step's last lines are shown below its bar.
const LINES: usize = 20;

/// The scale's width, in units of the drawing.
const WIDTH: u64 = 1_000;

/// The section of a run.
pub(super) fn section(page: &mut Page, run: &Case) {
    if run.spans.is_empty() {
        return;
    }
    page.leaf("h3", &[], "Where the time went");
    page.element("table", &[("class", "waterfall")], |page| {
        page.element("thead", &[], |page| {
            page.element("tr", &[], |page| {
                page.leaf("th", &[("scope", "col")], "phase and step");
                page.element("th", &[("scope", "col"), ("class", "scale")], |page| {
                    page.leaf("span", &[], "0");
                    page.leaf("span", &[], &text::time(run.took_ms()));
                });
                page.leaf("th", &[("scope", "col"), ("class", "num")], "time");
            });
        });
        page.element("tbody", &[], |page| {
            for (span, inner) in ordered(&run.spans) {
                row(page, run, span, inner);
            }
        });
    });
}

/// Each phase, then what belongs to it.
fn ordered(spans: &[Span]) -> Vec<(&Span, bool)> {
    let is_phase = |span: &&Span| matches!(span.key, SpanKey::Phase(_));
    let mut all = Vec::new();
    let mut phases: Vec<&Span> = spans.iter().filter(is_phase).collect();
    phases.sort_by_key(|span| span.phase);
    for phase in &phases {
        all.push((*phase, false));
        let inner = spans.iter().filter(|span| !is_phase(span) && span.phase == phase.phase);
        all.extend(inner.map(|span| (span, true)));
    }
    let orphan = |span: &&Span| !is_phase(span) && !phases.iter().any(|p| p.phase == span.phase);
    all.extend(spans.iter().filter(orphan).map(|span| (span, false)));
    all
}

fn row(page: &mut Page, run: &Case, span: &Span, inner: bool) {
    let (class, took) = match span.state {
        SpanState::Running => ("running", "not finished".to_owned()),
        SpanState::Done { cached: true } => ("cached", "cached".to_owned()),
        SpanState::Done { cached: false } => ("done", text::time(span.to_ms - span.from_ms)),
        SpanState::Failed => {
            ("failed", format!("failed, {}", text::time(span.to_ms - span.from_ms)))
        }
    };
    let row_class = format!("{} {class}", if inner { "step" } else { "phase" });
    page.element("tr", &[("class", &row_class)], |page| {
        page.element("th", &[("scope", "row")], |page| {
            if !inner {
                page.text(&name_of(&span.phase));
                page.text(" ");
            }
            if !span.title.is_empty() {
                page.leaf("code", &[], &text::first_line(&span.title, 90));
            }
            if let Some(place) = &span.place {
                page.text(" ");
                page.leaf("span", &[("class", "faint")], &format!("line {}", place.line));
            }
            output(page, span);
        });
        page.element("td", &[("class", "bar"), ("aria-hidden", "true")], |page| {
            bar(page, run, span);
        });
        page.leaf("td", &[("class", "num")], &took);
    });
}

fn output(page: &mut Page, span: &Span) {
    let lines: Vec<String> = span.output.lines().collect();
    if lines.is_empty() {
        return;
    }
    let dropped = span.output.dropped() + lines.len().saturating_sub(LINES) as u64;
    let label = match dropped {
        0 => text::count(lines.len(), "line"),
        _ => format!("last {LINES} of {} lines", span.output.dropped() + lines.len() as u64),
    };
    page.element("details", &[("class", "output")], |page| {
        page.leaf("summary", &[], &label);
        page.element("pre", &[("tabindex", "0")], |page| {
            page.lines(&lines[lines.len().saturating_sub(LINES)..]);
        });
    });
}

fn bar(page: &mut Page, run: &Case, span: &Span) {
    let whole = run.took_ms().max(1);
    let scaled = |ms: u64| (ms.saturating_sub(run.from_ms) * WIDTH / whole).min(WIDTH);
    let width = scaled(span.to_ms).saturating_sub(scaled(span.from_ms)).max(4);
    let from = scaled(span.from_ms).min(WIDTH - width).to_string();
    let (view, width) = (format!("0 0 {WIDTH} 10"), width.to_string());
    let svg = [("viewBox", view.as_str()), ("preserveAspectRatio", "none"), ("focusable", "false")];
    page.element("svg", &svg, |page| {
        let rect = [("x", from.as_str()), ("y", "0"), ("width", &width), ("height", "10")];
        page.element("rect", &rect, |_| {});
    });
}
