//! Real failures, case by case: `fixtures/triage` (from public reports) and `fixtures/triage-more`
//! (other wordings). Prints the table of what was taken for what.

#![expect(clippy::disallowed_methods, reason = "a test reads its cases from files")]
#![expect(clippy::print_stdout, reason = "the table of what was taken for what")]

#[path = "support/cases.rs"]
mod cases;

use std::collections::BTreeMap;

use cases::{Case, Got};

/// How many of a hundred must be right.
struct Bar {
    code: f64,
    phase: f64,
    owner: f64,
    retry: f64,
}

#[test]
fn the_reported_failures_are_told() {
    check("triage", &Bar { code: 95.0, phase: 98.0, owner: 97.0, retry: 97.0 });
}

#[test]
fn the_other_wordings_are_told() {
    check("triage-more", &Bar { code: 100.0, phase: 100.0, owner: 100.0, retry: 100.0 });
}

fn check(folder: &str, bar: &Bar) {
    let cases = cases::read(folder);
    assert!(!cases.is_empty(), "no case in fixtures/{folder}");
    let mut confused: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    let (mut code, mut phase, mut owner, mut retry) = (0, 0, 0, 0);
    let mut alarms = Vec::new();
    for case in &cases {
        let got = Got::of(&case.log);
        if case.is_negative() {
            if got.verdict != triage::Verdict::Passed {
                alarms.push(format!("{}: {got:?}", case.id));
            }
        } else if got.code != case.kind {
            confused.entry((case.kind.clone(), got.code.clone())).or_default().push(&case.id);
        }
        code += usize::from(got.code == case.code());
        phase += usize::from(got.phase == case.phase);
        owner += usize::from(got.owner == case.fault);
        retry += usize::from(got.retry == case.retryable);
        for (what, want, have) in [
            ("phase", &case.phase, &got.phase),
            ("owner", &case.fault, &got.owner),
            ("retry", &case.retryable.to_string(), &got.retry.to_string()),
        ] {
            if want != have {
                println!("{}: {what} {want} taken for {have}", case.id);
            }
        }
    }
    for ((kind, taken), ids) in &confused {
        println!("{kind} taken for {taken}: {}", ids.join(", "));
    }
    let percent = |count: usize| 100.0 * count as f64 / cases.len() as f64;
    println!(
        "{folder}: {} cases; code {:.1} %, phase {:.1} %, owner {:.1} %, retry {:.1} %, false alarms {}",
        cases.len(),
        percent(code),
        percent(phase),
        percent(owner),
        percent(retry),
        alarms.len()
    );
    assert!(alarms.is_empty(), "logs that passed are called failed:\n{}", alarms.join("\n"));
    for (what, count, least) in [
        ("code", code, bar.code),
        ("phase", phase, bar.phase),
        ("owner", owner, bar.owner),
        ("retry", retry, bar.retry),
    ] {
        assert!(percent(count) >= least, "{what}: {:.1} % < {least} %", percent(count));
    }
}

#[test]
fn every_label_is_one_that_the_types_know() {
    for case in cases::read("triage").iter().chain(&cases::read("triage-more")) {
        assert!(case.is_negative() || Case::knows(&case.kind), "{}: {}", case.id, case.kind);
    }
}
