//! A matrix of two hundred cases that each failed with a long log: its reports stay of a size that people open.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

const CASES: usize = 200;

/// How large a report of that may be, in bytes; what a browser opens without a wait.
const MOST: usize = 8 << 20;

/// A line that is as wide as a minified script, and would act where it is not escaped.
const LINE: &str = "</script><img src=x>\u{1b}[31m::error::x ]]> ##[error]\u{0}\u{202e} ";

/// The one case of the recorded matrix whose setup fails, two hundred times, its step talking much.
fn recording() -> String {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recorded = recorded.join("tests/replay/cases/matrix/recording.jsonl");
    let recorded = std::fs::read_to_string(recorded).unwrap();
    let records: Vec<Value> =
        recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is = |record: &Value, kinds: &[&str]| kinds.iter().any(|kind| record["record"] == *kind);
    let failing = records
        .iter()
        .find(|record| is(record, &["case"]) && record["about"]["folder"] == "failing-setup");
    let failing = &failing.unwrap()["case"];
    let mut text = String::new();
    let mut write = |record: &Value| writeln!(text, "{record}").unwrap();
    records.iter().filter(|record| is(record, &["started", "file"])).for_each(&mut write);
    let of_case = |kinds: &'static [&str]| {
        records.iter().filter(move |record| &record["case"] == failing && is(record, kinds))
    };
    for number in 0..CASES {
        for record in of_case(&["case"]) {
            let mut record = record.clone();
            record["case"] = number.into();
            record["about"]["name"] = format!("case {number}").into();
            record["about"]["expect"] = "pass".into();
            write(&record);
        }
    }
    let noise = format!("{}\n", LINE.repeat(40)).repeat(20);
    for number in 0..CASES {
        for record in of_case(&["attempt", "event", "judged"]) {
            let mut record = record.clone();
            record["case"] = number.into();
            if record["event"]["state"]["is"] == "failed" {
                let step = &record["event"]["step"];
                let event = json!({"event": "step-output", "step": step, "stream": "stdout", "text": noise});
                write(&json!({"record": "event", "case": number, "at_ms": 44_552, "event": event}));
            }
            write(&record);
        }
    }
    write(&json!({"record": "finished", "at_ms": 50_000, "exit": 1}));
    text
}

#[test]
fn two_hundred_long_logs_make_reports_that_open() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("recording.jsonl"), recording()).unwrap();
    for kind in ["html", "junit", "sarif", "github", "markdown", "json"] {
        let report = crate::report(folder.path(), kind);
        assert!(report.len() < MOST, "{kind}: {} bytes", report.len());
        assert!(!report.contains('\u{1b}') && !report.contains('\0'), "{kind}");
        if kind == "html" {
            assert_eq!(report.matches("</script").count(), 1, "a text closes the script");
            let shown = report.matches("::error::x").count();
            assert!(shown > 100 * CASES, "the last lines are not there: {shown}");
        }
    }
}
