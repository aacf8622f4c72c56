//! Setup commands and what is found in them, and the rules that look at the rest of an environment.

use environment::{Base, Code, VariableLayer};
use planner::plan;

use crate::builder::{Builder, authored};

/// The commands of one entry, then `code line:column` of each finding; all commands start at line 52.
const SETUP: &[(&[&str], &[&str])] = &[
    (&["npm ci --prefer-offline", "make environment-setup"], &[]),
    (&["sudo apt-get install -y make"], &["sudo 52:7"]),
    (&["make", "if true; then\n  sudo make install\nfi"], &[]),
    (&["make && sudo make install"], &["sudo 52:15"]),
    (&["command -v sudo && sudo make"], &[]),
    (&["sudo make || make", "[ \"$(id -u)\" = 0 ] || sudo make"], &[]),
    (&["git describe --tags"], &["no-git-directory 52:7"]),
    (&["x=1\n  git submodule update --init; make"], &["no-git-directory 53:9"]),
    (&["git status", "git log"], &["no-git-directory 52:7"]),
    (&["pre-commit install"], &["no-git-directory 52:7"]),
    (&["git describe || echo dev", "[ -d .git ] && git log", "if git status; then :; fi"], &[]),
    (
        &["git config --global user.name x", "git lfs install", "git --version", "git -C /x log"],
        &[],
    ),
    (&["git clone https://example.org/x", "cd x", "git log"], &[]),
    (&["git init -q && git add .", "git log"], &[]),
    (&["echo git log # git log", "cat <<E\ngit log\nE", "echo \"$(git describe)\""], &[]),
    (&["printf '\0'"], &["setup-control-character 52:15"]),
];

fn found(builder: &Builder) -> Vec<String> {
    let findings = plan(&builder.0, None).findings;
    let known = findings.iter().filter(|finding| finding.code != Code::MutableTag);
    known
        .map(|finding| {
            let place = finding.place.as_ref().expect("a place");
            format!("{} {}:{}", finding.code.name(), place.line, place.column)
        })
        .collect()
}

#[test]
fn every_setup_command_gets_what_fits() {
    for (commands, expected) in SETUP {
        assert_eq!(found(&Builder::new().setup("s", commands)), *expected, "{commands:?}");
    }
}

#[test]
fn a_step_that_installs_sudo_lets_setup_use_it() {
    let builder = Builder::new().step("RUN apt-get update && apt-get install -y sudo");
    assert_eq!(found(&builder.setup("s", &["sudo make"])), Vec::<String>::new());
}

#[test]
fn an_entry_of_too_many_bytes_is_refused() {
    assert_eq!(found(&Builder::new().setup("s", &[&"x".repeat(131_100)])), ["setup-too-long 50:7"]);
    assert_eq!(found(&Builder::new().setup("s", &[&"x".repeat(130_000)])), Vec::<String>::new());
}

#[test]
fn only_a_tag_that_the_author_wrote_is_called_mutable() {
    let codes = |builder: &Builder| {
        let findings = plan(&builder.0, None).findings;
        findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    let mut builder = Builder::new();
    assert_eq!(codes(&builder), [Code::MutableTag]);
    let digest = contract::PROBE_SHA256;
    builder.0.base = Base::Image {
        reference: authored(
            format!("debian:bookworm@sha256:{digest}").parse().expect("a reference"),
            7,
        ),
    };
    assert_eq!(codes(&builder), []);
    builder.0.base = Base::Preset {
        name: authored("node24".to_owned(), 7),
        reference: authored("node:24-bookworm-slim".parse().expect("a reference"), 7),
    };
    assert_eq!(codes(&builder), []);
}

#[test]
fn the_rest_of_an_environment_is_looked_at() {
    let mut odd = Builder::new();
    odd.0.compute.memory_mib = Some(authored(4097, 9));
    assert_eq!(found(&odd), ["odd-memory 9:7"]);
    odd.0.compute.memory_mib = Some(authored(4096, 9));
    assert_eq!(found(&odd), Vec::<String>::new());

    assert_eq!(found(&Builder::new().mount("/work\nspace")), ["path-control-character 19:7"]);

    let mut two = Builder::new();
    let mut other = two.0.checkouts[0].clone();
    other.repository = authored("acme/other".to_owned(), 22);
    other.path = authored("/workspace/other".to_owned(), 23);
    two.0.checkouts.push(other);
    assert_eq!(found(&two), ["other-checkouts 22:7"]);

    let variables = Builder::new().variable("A", "1", VariableLayer::Environment).variable(
        "A",
        "2",
        VariableLayer::Agent,
    );
    assert_eq!(found(&variables), ["shadowed-variable 60:7"]);
    let with_setup = variables.setup("s", &["make"]);
    assert_eq!(found(&with_setup), ["variables-in-setup 60:7", "shadowed-variable 60:7"]);
}
