//! The fixtures' matrix is green on both builders, and each of its expectations can fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::run::{Ended, Fleet};

/// The folder of the fixtures.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// Every fixture: a folder with agents.
fn fixtures() -> Vec<PathBuf> {
    let entries = root().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> = entries.filter(|folder| folder.join(".auto").exists()).collect();
    all.sort();
    assert!(!all.is_empty(), "no fixtures");
    all
}

#[test]
fn the_fixtures_are_green_and_each_expectation_can_fail() {
    let Some(engine) = crate::engine() else { return };
    let text = std::fs::read_to_string(root().join("drydock.toml")).unwrap();
    let fleet = Fleet::new();
    fleet.matrix(&text);
    for fixture in fixtures() {
        let name = fixture.file_name().unwrap().to_str().unwrap().to_owned();
        let named = format!("repository = \"{name}\"");
        assert!(text.contains(&named), "no case of fixtures/drydock.toml tries {name}");
        fleet.copy(&fixture);
    }
    let parsed: toml::Table = toml::from_str(&text).unwrap();
    let bases = parsed["matrix"]["bases"].as_table().unwrap().keys();
    let bases: Vec<String> = bases.map(|name| format!("{name}={}", engine.base(name))).collect();
    let mut more = vec!["--jobs", "3"];
    for base in &bases {
        more.extend(["--base", base]);
    }
    let ended = fleet.run(&engine, &more);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let judged = ended.of_kind("judged");
    assert_eq!(judged.len(), ended.of_kind("case").len());
    assert!(judged.iter().all(|one| one["judgement"]["standing"] == "as-expected"));
    ended.left_nothing(&engine);
    each_expectation_can_fail(&ended, &fleet);
}

/// Judges the recording of that one real run again, each time with one expectation changed: to its
/// opposite, and to another reason. To build everything anew for each would prove the same in hours.
fn each_expectation_can_fail(ended: &Ended, fleet: &Fleet) {
    // Events and plans decide nothing here, and are most of the recording.
    let records: Vec<Value> =
        ended.records.iter().filter(|r| r["record"] != "event").cloned().collect();
    let cases: Vec<usize> =
        (0..records.len()).filter(|i| records[*i]["record"] == "case").collect();
    for index in cases {
        let name = records[index]["about"]["name"].clone();
        for expect in changed(&records[index]["about"]["expect"]) {
            let mut records = records.clone();
            records[index]["about"]["expect"] = expect.clone();
            let red = replayed(&records, fleet.path());
            assert_eq!(red, std::slice::from_ref(&name), "expected {expect}");
        }
    }
}

/// The opposite of an expectation, and another reason.
fn changed(expect: &Value) -> [Value; 2] {
    let opposite = match expect.as_str() {
        Some("pass") => json!({ "phase": "setup", "owner": "author" }),
        _ => json!("pass"),
    };
    let other = match &expect["check"] {
        Value::String(check) if check == "glibc" => json!({ "check": "glibc-loader" }),
        _ => json!({ "check": "glibc" }),
    };
    [opposite, other]
}

/// The names of the cases that are not as expected, by `drydock replay`.
fn replayed(records: &[Value], folder: &Path) -> Vec<Value> {
    let file = folder.join("changed.jsonl");
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    std::fs::write(&file, lines).unwrap();
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    let output = drydock.arg("replay").arg(file).args(["--report", "json=-"]).output().unwrap();
    // A failure that may be infrastructure's, and was not expected, is the third colour.
    let status = output.status.code();
    assert!(matches!(status, Some(1 | 75)), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cases = summary["cases"].as_array().unwrap().iter();
    let red = cases.filter(|case| case["judgement"]["standing"] != "as-expected");
    red.map(|case| case["name"].clone()).collect()
}
