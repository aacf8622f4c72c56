//! The place that a finding shows in words is the one that `--json` names: an editor jumps there.

#![expect(clippy::unwrap_used, reason = "a test's own set-up fails by panicking")]

#[path = "support/repository.rs"]
mod repository;

use std::process::Command;

use serde_json::Value;

/// Findings within a block, within a long line, and on plain lines.
const AGENT: &str = "\
name: agent
harness: codex
environment:
  name: runtime
  image: { kind: base, ref: debian:bookworm }
  steps:
    - |
      RUN echo one
      RUN echo two
    - RUN sudo true
    - |
      RUN cat <<EOF
      x
      EOF
";

#[test]
fn words_show_the_place_that_json_names() {
    let long = format!(
        "{{{:400}\"name\": \"other\", \"harness\": \"codex\", \"environment\": {{\"name\": \"long\", \
         \"image\": {{\"kind\": \"base\", \"ref\": \"debian:bookworm\"}}}}}}\n",
        ""
    );
    let repository =
        repository::repository(&[(".auto/agents/a.yaml", AGENT), (".auto/agents/b.yaml", &long)]);
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    let output = drydock.args(["plan", "--json", "-C"]).arg(repository.path()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let places: Vec<String> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| {
            let file = at["file"].as_str().unwrap();
            format!("{file}:{}:{}", at["line"], at["column"])
        })
        .collect();
    assert!(places.len() >= 4, "{report:#}");

    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    let output = drydock.args(["plan", "-C"]).arg(repository.path()).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    let shown: Vec<&str> =
        words.lines().filter_map(|line| line.trim_start().strip_prefix("--> ")).collect();
    assert_eq!(shown, places, "{words}");
    assert!(!words.contains(":::"), "one place for each finding\n{words}");
}
