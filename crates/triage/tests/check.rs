//! What `drydock check` sees, case by case: `fixtures/triage-check/*.json`.
#![expect(clippy::disallowed_methods, reason = "a test reads its cases from files")]

use serde::Deserialize;
use triage::{Observed, Owner, Phase, Retry, classify};

#[derive(Deserialize)]
struct Case {
    observed: Observed,
    expect: Expect,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Expect {
    code: String,
    phase: Phase,
    owner: Owner,
    retry: Retry,
    exit_code: Option<i64>,
}

#[test]
fn each_case_is_classified_as_labelled() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/triage-check");
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let case: Case = serde_json::from_str(&text).unwrap();
        let failure = classify(&case.observed);
        let got = Expect {
            code: failure.code.name().to_owned(),
            phase: failure.phase,
            owner: failure.owner,
            retry: failure.retry,
            exit_code: failure.exit_code,
        };
        if got != case.expect {
            wrong.push(format!("{}:\n  want {:?}\n  got  {got:?}", path.display(), case.expect));
        }
        count += 1;
    }
    assert!(count > 0, "no case in {folder}");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
