//! `drydock bake`: a target for each distinct plan and base, and a context that is the commit.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]
#![expect(clippy::print_stderr, reason = "a test without its engine says why it proves nothing")]

mod newer;
#[path = "../support/repository.rs"]
mod repository;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A definition of an agent with one step.
fn agent(name: &str, environment: &str, step: &str) -> String {
    format!(
        "name: {name}\nharness: codex\nenvironment:\n  name: {environment}\n  image:\n    kind: base\n    \
         ref: debian:bookworm\n  steps:\n    - RUN {step}\nmounts:\n  - kind: git\n    repository: acme/widgets\n    \
         mountPath: /workspace/widgets\nworkingDirectory: /workspace/widgets\n"
    )
}

/// A repository with three agents, of which two come to one plan; one file is not committed.
fn repository() -> TempDir {
    let folder = repository::repository(&[
        (".auto/agents/a.yaml", &agent("a", "runtime", "true")),
        (".auto/agents/b.yaml", &agent("b", "runtime", "true")),
        (".auto/agents/c.yaml", &agent("c", "other", "exit 7")),
        (".gitattributes", "not-exported export-ignore\n"),
        ("not-exported", "a clone has it"),
        ("Dockerfile", "FROM scratch\n"),
        (".dockerignore", "*\n"),
    ]);
    std::fs::write(folder.path().join("untracked"), "not of the commit").unwrap();
    folder
}

fn bake(repository: &Path, arguments: &[&str]) -> Output {
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.arg("bake").args(arguments).current_dir(repository).output().unwrap()
}

fn baked(repository: &Path, out: &Path, more: &[&str]) -> Value {
    let output = bake(repository, &[&["--out", out.to_str().unwrap()], more].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&std::fs::read(out.join("docker-bake.json")).unwrap()).unwrap()
}

#[test]
fn a_target_stands_for_a_distinct_plan_and_the_context_is_the_commit() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let file = baked(repository.path(), out.path(), &[]);
    assert_eq!(file["group"]["default"]["targets"], serde_json::json!(["runtime", "other"]));
    let target = &file["target"]["runtime"];
    assert_eq!(target["args"], Value::Null, "its own base needs no argument");
    assert_eq!(target["labels"]["dev.drydock.plan"].as_str().unwrap().len(), 64);
    let context = out.path().join(target["context"].as_str().unwrap());
    let dockerfile = std::fs::read_to_string(context.join(target["dockerfile"].as_str().unwrap()));
    let dockerfile = dockerfile.unwrap();
    let probe = include_str!("../../../../probe/debian-contract-v0.dockerfile");
    assert!(dockerfile.contains(probe.trim_end()), "the probe is not there byte for byte");
    assert!(dockerfile.contains("checkout/"), "the checkout is a folder of the context");
    let checkout = context.join("checkout");
    for (path, there) in [("not-exported", true), (".dockerignore", true), ("untracked", false)] {
        assert_eq!(checkout.join(path).exists(), there, "{path}");
    }
    assert!(!context.join(".dockerignore").exists() && !context.join("Dockerfile").exists());
}

#[test]
fn each_plan_is_a_target_on_each_base() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let more = ["runtime", "--base", "debian:trixie", "--base", "alpine:3.23"];
    let file = baked(repository.path(), out.path(), &more);
    let targets = file["target"].as_object().unwrap();
    assert_eq!(
        targets.keys().collect::<Vec<_>>(),
        ["runtime_alpine_3_23", "runtime_debian_trixie"]
    );
    assert_eq!(targets["runtime_alpine_3_23"]["args"]["AUTO_ENVIRONMENT_BASE"], "alpine:3.23");
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    std::fs::write(out.path().join("mine"), "").unwrap();
    let output = bake(repository.path(), &["--out", out.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not empty"));
    assert_eq!(out.path().read_dir().unwrap().count(), 1);
}
