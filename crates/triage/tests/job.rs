//! The CI system's last word on the job stands above what its builds said.

#![expect(clippy::disallowed_methods, reason = "a test reads its cases from files")]

#[expect(dead_code, reason = "each test reads its part of a case")]
#[path = "support/cases.rs"]
mod cases;

use cases::{Case, Got};
use triage::Verdict;

#[test]
fn a_job_that_failed_did_not_pass() {
    check(
        &[
            "Finished: FAILURE",
            "##[error]Process completed with exit code 1.",
            "ERROR: Job failed: exit code 1",
            "🏁  Job failed",
        ],
        |verdict| verdict == Verdict::Failed,
    );
}

#[test]
fn a_job_that_succeeded_passed() {
    check(
        &[
            "Finished: SUCCESS",
            "Job succeeded",
            "Done. Your build exited with 0.",
            "CircleCI received exit code 0",
            "🏁  Job succeeded",
        ],
        |verdict| verdict == Verdict::Passed,
    );
}

fn check(endings: &[&str], right: impl Fn(Verdict) -> bool) {
    let mut cases: Vec<Case> = cases::read("triage");
    cases.extend(cases::read("triage-more"));
    assert!(!cases.is_empty(), "no case");
    let mut wrong = Vec::new();
    for case in &cases {
        for ending in endings {
            let log = [case.log.as_slice(), b"\n", ending.as_bytes(), b"\n"].concat();
            let got = Got::of(&log);
            if !right(got.verdict) {
                wrong.push(format!("{} and {ending:?}: {:?}", case.id, got.verdict));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
