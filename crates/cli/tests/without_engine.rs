//! What `drydock check` says when nothing can be built: no engine, invalid or uncommitted definitions.

#![expect(clippy::unwrap_used, reason = "a test's own set-up fails by panicking")]

#[path = "support/repository.rs"]
mod repository;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const AGENT: &str = ".auto/agents/agent.yaml";

const GOOD: &str = "\
name: agent
harness: codex
environment:
  name: agent-runtime
  image:
    kind: base
    ref: debian:bookworm
mounts:
  - kind: git
    repository: acme/widgets
    mountPath: /workspace/widgets
    ref: main
";

/// A repository with one commit that holds `agent`.
fn repository(agent: &str) -> TempDir {
    repository::repository(&[(AGENT, agent)])
}

fn write(folder: &Path, file: &str, text: &str) {
    let file = folder.join(file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git").args(arguments).current_dir(folder).status();
    assert!(status.unwrap().success(), "git {arguments:?}");
}

/// `drydock check` where no engine is.
fn check(repository: &Path, arguments: &[&str]) -> Output {
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["check", "--host", "unix:///nonexistent/engine.sock"]).args(arguments);
    drydock.current_dir(repository).output().unwrap()
}

/// Checks exit status and, as JSON and as text, what was said.
fn assert_says(repository: &Path, arguments: &[&str], exit: i32, words: &[&str]) {
    let output = check(repository, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "{word:?} is missing in\n{stderr}");
    }
    assert!(output.stdout.is_empty(), "data belongs to --json alone");
}

#[test]
fn no_engine_is_status_69_and_the_findings_are_shown_all_the_same() {
    // A tag that moves is a finding, though none that stops anything.
    let repository = repository(GOOD);
    assert_says(
        repository.path(),
        &[],
        69,
        &["mutable-tag", "agent.yaml:7", "/nonexistent/engine.sock"],
    );

    let output = check(repository.path(), &["--json"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let report: Value = serde_json::from_str(stdout.lines().last().unwrap()).unwrap();
    assert_eq!(output.status.code(), Some(69));
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["level"], "predicted");
    assert_eq!(report["findings"][0]["line"], 7, "{report:#}");
}

#[test]
fn an_invalid_definition_is_status_2_before_any_engine_is_asked() {
    let repository = repository(&GOOD.replace("harness: codex", "harnes: codex"));
    assert_says(repository.path(), &[], 2, &["agent.yaml:2", "harness"]);
}

#[test]
fn uncommitted_definitions_are_refused_unless_they_are_asked_for() {
    let repository = repository(GOOD);
    write(repository.path(), AGENT, &GOOD.replace("bookworm", "trixie"));
    assert_says(repository.path(), &[], 2, &[AGENT, "--allow-dirty"]);
    assert_says(repository.path(), &["--allow-dirty"], 69, &["trixie"]);

    // An agent that git does not know yet would be missing from the verdict just as silently.
    git(repository.path(), &["checkout", "--quiet", "--", "."]);
    write(repository.path(), ".auto/agents/new.yaml", GOOD);
    assert_says(repository.path(), &[], 2, &[".auto/agents/new.yaml", "--allow-dirty"]);
}

#[test]
fn a_file_that_no_definition_reads_may_be_as_it_is() {
    let repository = repository(GOOD);
    write(repository.path(), "notes.txt", "not committed\n");
    assert_says(repository.path(), &[], 69, &["mutable-tag"]);
}

#[test]
fn clean_forgets_images_without_an_engine_and_nothing_that_is_not_ours() {
    let cache = tempfile::tempdir().unwrap();
    let images = cache.path().join("drydock/images");
    let ours = images.join(format!("{}.json", "0a".repeat(32)));
    write(&images, ours.to_str().unwrap(), "{}");
    write(&images, "letter.json", "{}");
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["clean", "--host", "unix:///nonexistent/engine.sock"]);
    let output = drydock.env("XDG_CACHE_HOME", cache.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(69));
    assert!(!ours.exists());
    assert!(images.join("letter.json").exists());
}
