//! `drydock plan --explain`: a value, where it comes from, and the published page behind it.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]

#[path = "support/repository.rs"]
mod repository;

use std::process::Command;

const AUTO: (&str, &str) = (
    ".auto/agents/a.yaml",
    "name: a\nharness: codex\nenvironment:\n  name: e\n  image:\n    kind: base\n    ref: debian:bookworm\n  steps:\n  - RUN true\n",
);
const ELLIPSIS: (&str, &str) = (
    "agents/env.yaml",
    "ellipsis:\n  kind: environment\n  name: e\nimage:\n  dockerfile_append: |\n    RUN one\n    RUN two\n",
);
const QODER: (&str, &str) = (
    ".qoder/env.yaml",
    "name: e\nconfig:\n  type: cloud\n  packages:\n    pip: [six==1.16.0]\n  setup_script: make\n",
);
const CLAUDE: (&str, &str) = (
    "environment.yaml",
    "name: e\nconfig:\n  type: cloud\n  packages:\n    cargo:\n    - hyperfine@1.18.0\n",
);

/// What is said of a pointer, in one line.
fn check(file: (&str, &str), pointer: &str, said: &str) {
    let repository = repository::repository(&[file]);
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["plan", "--explain", pointer]).current_dir(repository.path());
    let output = drydock.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line: Vec<&str> = text.lines().map(str::trim).collect();
    assert!(line.join(" | ").contains(said), "{pointer}: {said}\n{text}");
}

#[test]
fn an_authored_value_has_its_place_and_the_page_of_its_field() {
    check(
        AUTO,
        "/base/reference",
        "/base/reference = debian:bookworm | authored at .auto/agents/a.yaml:7:10 | \
         as environment.image.ref: auto reference, \"Environments\"",
    );
    check(
        ELLIPSIS,
        "/stages/1",
        "RUN two | authored at agents/env.yaml:7:5 | \
         as image.dockerfile_append: Ellipsis CLI guide, \"Environments\"",
    );
    check(
        QODER,
        "/stages/0/body",
        "six==1.16.0 | authored at .qoder/env.yaml:5:11 | \
         as config.packages.pip: Qoder Cloud Agents API, \"Environment schemas\"",
    );
    check(
        CLAUDE,
        "/stages",
        "hyperfine@1.18.0 | authored at environment.yaml:6:7 | \
         as config.packages.cargo: Claude Managed Agents, \"Cloud environment setup\"",
    );
}

#[test]
fn what_nobody_wrote_says_who_says_it() {
    check(
        ELLIPSIS,
        "/compute/cpu_millis",
        "= 1000 | documented default: Ellipsis SDK, environment",
    );
    check(ELLIPSIS, "/base/stand_in", "assumed: Drydock's stand-in for the platform's image");
    check(CLAUDE, "/accounts/session", "= root | unknown: no published page says it");
}

#[test]
fn a_field_of_the_definition_is_explained_by_its_own_path() {
    check(QODER, "/config/setup_script", "config.setup_script: A script for `/bin/bash -lc`");
}

#[test]
fn what_has_no_basis_of_its_own_is_not_answered_with_its_neighbours() {
    check(AUTO, "/stages/0/kind", "/stages/0/kind = probe | follows from the format");
}

#[test]
fn a_field_says_where_it_was_written() {
    check(AUTO, "/environment/steps/0", "/stages/2/body/text: authored at .auto/agents/a.yaml:9:5");
}

#[test]
fn a_pointer_that_nearly_is_one_is_answered_with_the_field() {
    let repository = repository::repository(&[AUTO]);
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["plan", "--explain", "/steps"]).current_dir(repository.path());
    let output = drydock.output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("did you mean `/environment/steps`?"), "{words}");
    assert_eq!(output.status.code(), Some(2));
}
