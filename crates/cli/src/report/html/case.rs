//! One case: a line that says how it stands, and behind it everything that is known.

use environment::Severity;

use super::markup::Page;
use super::{class, dockerfile, failure, text, waterfall};
use crate::recording::{Case, Recorded};

/// The case as an element that opens.
pub(super) fn details(page: &mut Page, recorded: &Recorded, index: usize, case: &Case) {
    let about = &case.about;
    let standing = case.judgement.standing;
    let id = format!("case-{index}");
    let class_name = format!("case {}", class(standing));
    let words = words(case);
    let mut attributes = vec![
        ("id", id.as_str()),
        ("class", &class_name),
        ("data-words", &words),
        ("data-standing", class(standing)),
    ];
    if recorded.cases.len() == 1 {
        attributes.push(("open", ""));
    }
    page.element("details", &attributes, |page| {
        page.element("summary", &[], |page| {
            page.leaf("span", &[("class", "mark"), ("aria-hidden", "true")], standing.sign());
            page.element("span", &[("class", "who")], |page| {
                page.leaf("strong", &[], &about.name);
                page.leaf("span", &[("class", "why")], &case.judgement.why);
            });
            page.leaf("span", &[("class", "time")], &time(case));
        });
        page.element("div", &[("class", "body")], |page| body(page, recorded, case));
    });
}

fn body(page: &mut Page, recorded: &Recorded, case: &Case) {
    let run = recorded.run_of(case);
    facts(page, case, run);
    failure::section(page, case, run);
    findings(page, case);
    waterfall::section(page, run);
    dockerfile::section(page, recorded, case, run);
    let not_proven = case.outcome.iter().flat_map(|outcome| &outcome.not_proven);
    let not_proven: Vec<_> = not_proven.collect();
    if !not_proven.is_empty() {
        page.leaf("h3", &[], "Not proven");
        page.element("ul", &[("class", "not-proven")], |page| {
            for item in not_proven {
                page.element("li", &[], |page| {
                    page.leaf("code", &[], &item.what);
                    page.text(" ");
                    page.text(&item.why);
                });
            }
        });
    }
}

fn facts(page: &mut Page, case: &Case, run: &Case) {
    let about = &case.about;
    let authored = about.plan.as_ref().map(|plan| plan.base.reference.as_str());
    let base = match authored {
        Some(authored) if authored != about.base => {
            format!("{} (the definition says {authored})", about.base)
        }
        _ => about.base.clone(),
    };
    let level = case.outcome.as_ref().map(|outcome| super::super::name_of(&outcome.level));
    let shared = case.shared_with.map(|_| format!("the run of {}", run.about.name));
    let attempts = (run.attempts > 1).then(|| run.attempts.to_string());
    let digest = about.plan.as_ref().map(|plan| plan.digest.chars().take(16).collect());
    let rows = [
        ("environment", Some(about.environment.clone())),
        ("agents", Some(about.agents.join(", "))),
        ("folder", Some(about.folder.clone())),
        ("base", Some(base)),
        ("builder", Some(run.ran_on())),
        ("expected", Some(about.expect.to_string())),
        ("level", level),
        ("shares", shared),
        ("tries", attempts),
        ("plan", digest),
    ];
    page.element("dl", &[("class", "facts")], |page| {
        for (name, value) in rows {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                page.element("div", &[], |page| {
                    page.leaf("dt", &[], name);
                    page.leaf("dd", &[], &value);
                });
            }
        }
    });
}

fn findings(page: &mut Page, case: &Case) {
    if case.about.findings.is_empty() {
        return;
    }
    page.leaf("h3", &[], "In the definition");
    page.element("ul", &[("class", "findings")], |page| {
        for finding in &case.about.findings {
            let (word, class) = match finding.severity {
                Severity::Error => ("error", "bad"),
                Severity::Warning => ("warning", "unlucky"),
                Severity::Note => ("note", "idle"),
            };
            page.element("li", &[("class", class)], |page| {
                page.leaf("strong", &[], &format!("{word}: {}", finding.code.name()));
                page.text(" ");
                page.text(&finding.message);
                if let (Some(file), Some(line)) = (&finding.file, finding.line) {
                    page.text(" ");
                    page.leaf("code", &[], &format!("{}:{line}", case.path(file)));
                }
                for more in [&finding.expected, &finding.hint].into_iter().flatten() {
                    page.leaf("span", &[("class", "faint line")], more);
                }
            });
        }
    });
}

fn time(case: &Case) -> String {
    match (case.shared_with, case.attempts) {
        (Some(_), _) => "shared".to_owned(),
        (None, 0) => String::new(),
        (None, _) => text::time(case.took_ms()),
    }
}

/// What the filter looks in.
fn words(case: &Case) -> String {
    let about = &case.about;
    let owner = case.outcome.as_ref().and_then(|outcome| outcome.failure.as_ref());
    let owner = owner.map(|failure| super::super::name_of(&failure.owner)).unwrap_or_default();
    let expect = about.expect.to_string();
    let parts = [
        about.name.as_str(),
        &about.environment,
        &about.base,
        &about.builder,
        &about.folder,
        &about.agents.join(" "),
        &case.judgement.why,
        case.judgement.standing.words(),
        &expect,
        &owner,
    ];
    parts.join(" ").to_lowercase()
}
