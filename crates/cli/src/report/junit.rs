//! JUnit XML: one test case a case. What was not expected is a failure, infrastructure an error,
//! what was not tried skipped.

mod xml;

use xml::Xml;

use super::text;
use crate::judge::Standing;
use crate::recording::{Case, Recorded};

/// The whole document.
pub(crate) fn document(recorded: &Recorded) -> String {
    let mut xml = Xml::new();
    let totals = [
        ("name", format!("drydock {}", recorded.start.command)),
        ("tests", recorded.cases.len().to_string()),
        ("failures", recorded.count(Standing::NotAsExpected).to_string()),
        ("errors", recorded.count(Standing::Infrastructure).to_string()),
        ("skipped", recorded.count(Standing::NotRun).to_string()),
        ("time", seconds(recorded.took_ms)),
    ];
    let mut suite = totals.to_vec();
    let timestamp = recorded.start.started.trim_end_matches('Z');
    if !timestamp.is_empty() {
        suite.push(("timestamp", timestamp.to_owned()));
    }
    xml.element("testsuites", &totals[..], |xml| {
        xml.element("testsuite", &suite, |xml| {
            for case in &recorded.cases {
                test_case(xml, recorded, case);
            }
        });
    });
    xml.finish()
}

fn test_case(xml: &mut Xml, recorded: &Recorded, case: &Case) {
    let run = recorded.run_of(case);
    // A shared run is counted once, where it happened.
    let took = if case.shared_with.is_some() { 0 } else { case.took_ms() };
    let place = case.outcome.as_ref().and_then(|outcome| outcome.failure.as_ref());
    let mut attributes = vec![
        ("name", case.about.name.clone()),
        ("classname", case.about.environment.clone()),
        ("time", seconds(took)),
    ];
    if let Some(place) = place.and_then(|failure| failure.source.as_ref()) {
        attributes.push(("file", case.path(&place.file)));
        attributes.push(("line", place.line.to_string()));
    }
    xml.element("testcase", &attributes, |xml| {
        xml.element("properties", &[], |xml| {
            for (name, value) in properties(case, run) {
                let property = [("name", name.to_owned()), ("value", value)];
                xml.element("property", &property, |_| {});
            }
        });
        let why = ("message", case.judgement.why.clone());
        let kind = ("type", case.code().unwrap_or_else(|| "passed".to_owned()));
        match case.judgement.standing {
            Standing::AsExpected => {}
            Standing::NotAsExpected => xml.leaf("failure", &[why, kind], &evidence(case)),
            Standing::Infrastructure => xml.leaf("error", &[why, kind], &evidence(case)),
            Standing::NotRun => xml.element("skipped", &[why], |_| {}),
        }
        let output: Vec<String> =
            run.failed_span().map(|span| span.output.lines().collect()).unwrap_or_default();
        if !output.is_empty() {
            xml.leaf("system-out", &[], &output.join("\n"));
        }
    });
}

/// What a reader may want to group or filter by.
fn properties<'a>(case: &'a Case, run: &'a Case) -> Vec<(&'static str, String)> {
    let mut properties = vec![
        ("base", case.about.base.clone()),
        ("builder", case.about.builder.clone()),
        ("expected", case.about.expect.to_string()),
    ];
    if let Some(engine) = &run.engine {
        properties.push(("engine", engine.clone()));
    }
    if let Some(plan) = &case.about.plan {
        properties.push(("plan-digest", plan.digest.clone()));
    }
    if case.attempts > 1 {
        properties.push(("attempts", case.attempts.to_string()));
    }
    properties
}

/// What failed and the lines that say so, for the body of a failure.
fn evidence(case: &Case) -> String {
    let Some(failure) = case.outcome.as_ref().and_then(|outcome| outcome.failure.as_ref()) else {
        return case.judgement.why.clone();
    };
    let mut lines = vec![failure.summary.clone()];
    lines.extend(
        failure
            .source
            .as_ref()
            .map(|place| format!("{}:{}:{}", case.path(&place.file), place.line, place.column)),
    );
    lines.extend(failure.evidence.iter().map(|line| format!("{:>5} | {}", line.line, line.text)));
    lines.extend(failure.hint.clone());
    lines.iter().map(|line| text::plain(line).into_owned()).collect::<Vec<_>>().join("\n")
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}
