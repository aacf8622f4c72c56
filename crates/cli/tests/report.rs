//! `drydock check --report`: there is a report even where nothing could be built.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]

#[path = "support/repository.rs"]
mod repository;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A repository with one agent, whose image is this.
fn repository(image: &str) -> TempDir {
    let agent = format!(
        "name: agent\nharness: codex\nenvironment:\n  name: runtime\n  image:\n    kind: base\n    ref: {image}\n"
    );
    repository::repository(&[(".auto/agents/agent.yaml", &agent)])
}

/// A check with no engine behind it.
fn check(repository: &Path, arguments: &[&str]) -> Output {
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    let nowhere = format!("unix://{}/none.sock", repository.display());
    drydock.args(["check", "--host", &nowhere]).args(arguments).current_dir(repository);
    drydock.output().unwrap()
}

fn json(repository: &Path, kind: &str, status: i32) -> Value {
    let output = check(repository, &["--report", &format!("{kind}=-")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn an_invalid_definition_is_reported_at_its_line() {
    let repository = repository("De:bian");
    let summary = json(repository.path(), "json", 2);
    assert_eq!(summary["exit"], 2);
    assert_eq!(summary["counts"]["not_as_expected"], 1);
    assert_eq!(summary["cases"][0]["findings"][0]["code"], "image-reference");
    let sarif = json(repository.path(), "sarif", 2);
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let at_line = results.iter().find(|result| result["ruleId"] == "image-reference");
    let place = &at_line.unwrap()["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], ".auto/agents/agent.yaml");
    assert_eq!(place["region"]["startLine"], 7);
}

#[test]
fn a_check_without_an_engine_is_infrastructure_in_every_report() {
    let repository = repository("debian:bookworm");
    let summary = json(repository.path(), "json", 69);
    assert_eq!(summary["counts"]["infrastructure"], 1, "{summary:#}");
    let output = check(repository.path(), &["--report", "junit=-"]);
    let junit = String::from_utf8(output.stdout).unwrap();
    assert!(junit.contains("errors=\"1\""), "{junit}");
}

#[test]
fn what_was_recorded_replays_with_the_same_status() {
    let repository = repository("De:bian");
    let output = check(repository.path(), &["--record", "run.jsonl", "--report", "html=run.html"]);
    assert_eq!(output.status.code(), Some(2));
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["replay", "run.jsonl", "--report", "html=again.html"]);
    let again = drydock.current_dir(repository.path()).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    let read = |name: &str| std::fs::read(repository.path().join(name)).unwrap();
    assert_eq!(read("run.html"), read("again.html"), "the same recording makes the same page");
}

#[test]
fn a_report_that_cannot_be_written_is_a_fault_with_its_path() {
    let repository = repository("debian:bookworm");
    let output = check(repository.path(), &["--report", "html=none/run.html"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("report none/run.html: there is no folder none"), "{stderr}");
    assert!(!stderr.contains("INCONCLUSIVE"), "refused before anything is tried: {stderr}");
}
