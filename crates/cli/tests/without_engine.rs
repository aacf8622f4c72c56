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

#[test]
fn a_new_definition_of_any_format_is_refused_like_an_agent() {
    let repository = repository(GOOD);
    write(repository.path(), "agents/env.yaml", "ellipsis:\n  kind: environment\n  name: new\n");
    assert_says(repository.path(), &[], 2, &["agents/env.yaml", "--allow-dirty"]);
    // What else lies in such a folder is nobody's definition.
    write(repository.path(), "agents/env.yaml", "not: ours\n");
    assert_says(repository.path(), &[], 69, &["mutable-tag"]);
}

#[test]
fn a_bare_repository_has_commits_to_check_and_no_files_to_read() {
    let repository = repository(GOOD);
    let bare = tempfile::tempdir().unwrap();
    git(bare.path(), &["clone", "--quiet", "--bare", repository.path().to_str().unwrap(), "."]);
    assert_says(bare.path(), &[], 69, &["mutable-tag", "agent.yaml:7"]);
    assert_says(bare.path(), &["--allow-dirty"], 2, &["is a bare repository", "--rev HEAD"]);
}

#[test]
fn a_plain_folder_has_no_commits() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), AGENT, GOOD);
    assert_says(folder.path(), &[], 2, &["is no git repository", "drydock plan"]);
}

#[test]
fn a_hook_of_another_repository_does_not_turn_git_to_it() {
    let (ours, other) = (repository(GOOD), repository(&GOOD.replace("bookworm", "trixie")));
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["check", "--host", "unix:///nonexistent/engine.sock"]);
    drydock.env("GIT_DIR", other.path().join(".git")).current_dir(ours.path());
    let words = String::from_utf8(drydock.output().unwrap().stderr).unwrap();
    assert!(words.contains("debian:bookworm"), "{words}");
    assert!(!words.contains("trixie"), "{words}");
}

#[test]
fn two_reports_do_not_share_a_place() {
    let repository = repository(GOOD);
    let both = ["--report", "html=-", "--report", "junit=-"];
    assert_says(repository.path(), &both, 2, &["standard output", "of its own"]);
}

#[test]
fn a_temporary_folder_that_cannot_be_made_says_how_to_choose_another() {
    let repository = repository(GOOD);
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["check", "--host", "unix:///nonexistent/engine.sock"]);
    drydock.env("TMPDIR", "/nonexistent").current_dir(repository.path());
    let output = drydock.output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("No such file or directory"), "{words}");
    assert!(words.contains("TMPDIR"), "{words}");
}

#[test]
fn an_empty_smoke_command_proves_nothing() {
    let repository = repository(GOOD);
    assert_says(repository.path(), &["--smoke", " "], 2, &["--smoke", "empty"]);
}

#[test]
fn faults_of_the_fields_and_of_the_steps_are_found_in_one_run() {
    let steps =
        "  resources: { cpuCount: 0 }\n  steps:\n  - FROM debian\n  - |\n    RUN a\n    RUN b\n";
    let repository = repository(&GOOD.replace("mounts:", &format!("{steps}mounts:")));
    let both = ["invalid-resources", "step-from", "step-several", "3 errors"];
    assert_says(repository.path(), &[], 2, &both);
}

#[test]
fn a_target_is_found_as_reports_name_it_and_is_no_folder() {
    let repository = repository(GOOD);
    let agents = repository.path().join(".auto/agents");
    assert_says(&agents, &[AGENT], 69, &["agent.yaml:7"]);
    assert_says(&agents, &["agent.yaml"], 69, &["agent.yaml:7"]);
    assert_says(&agents, &["."], 2, &[". is a folder", "-C"]);
}

#[test]
fn a_repository_that_git_refuses_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), AGENT, GOOD);
    write(folder.path(), ".git", "gitdir: /nonexistent\n");
    assert_says(folder.path(), &[], 2, &["git: fatal", "git status"]);
}
