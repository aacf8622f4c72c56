//! `drydock matrix --list`: rows to cases, names, selections, shards, and slips named by their place.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]

#[path = "support/repository.rs"]
mod repository;

use std::process::{Command, Output};

use tempfile::TempDir;

/// A repository with two environments and this matrix.
fn repository(matrix: &str) -> TempDir {
    let agent = |name: &str| {
        format!(
            "name: {name}\nharness: codex\nenvironment:\n  name: {name}-runtime\n  image:\n    kind: base\n    \
             ref: debian:bookworm\n  steps:\n    - RUN echo {name}\n"
        )
    };
    repository::repository(&[
        (".auto/agents/web.yaml", &agent("web")),
        (".auto/agents/api.yaml", &agent("api")),
        ("drydock.toml", matrix),
    ])
}

fn drydock(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["matrix", "--list"]).args(arguments).current_dir(folder.path());
    drydock.output().unwrap()
}

/// `name -> expectation` of each case.
fn listed(folder: &TempDir, arguments: &[&str]) -> Vec<String> {
    let output = drydock(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn refused(matrix: &str, arguments: &[&str], words: &str) {
    let output = drydock(&repository(matrix), arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(words), "{words:?} is not in {stderr}");
}

const MATRIX: &str = "\
[matrix.bases]
good = 'debian:trixie'
musl = 'alpine:3.23'

[[matrix.case]]
base = ['good', 'ubuntu:24.04']

[[matrix.case]]
environment = 'web'
base = 'musl'
builder = ['classic', 'buildkit']
expect = { check = 'glibc-loader' }

[[matrix.case]]
name = 'the api as it is'
environment = 'api-runtime'
";

#[test]
fn a_row_is_environments_times_bases_times_builders() {
    assert_eq!(
        listed(&repository(MATRIX), &[]),
        [
            "api-runtime on good pass",
            "api-runtime on ubuntu:24.04 pass",
            "web-runtime on good pass",
            "web-runtime on ubuntu:24.04 pass",
            "web-runtime on musl (classic) check glibc-loader",
            "web-runtime on musl (buildkit) check glibc-loader",
            "the api as it is pass",
        ]
    );
}

#[test]
fn cases_are_selected_by_words_and_by_name() {
    let folder = repository(MATRIX);
    assert_eq!(listed(&folder, &["--filter", "WEB musl classic"]).len(), 1);
    assert_eq!(listed(&folder, &["--filter", "ubuntu", "--filter", "buildkit"]).len(), 3);
    assert_eq!(listed(&folder, &["--filter", "debian:bookworm"]), ["the api as it is pass"]);
    assert_eq!(listed(&folder, &["--case", "web-runtime on good"]), ["web-runtime on good pass"]);
}

#[test]
fn shards_share_all_cases_and_keep_equal_builds_together() {
    let twice =
        format!("{MATRIX}\n[[matrix.case]]\nname = 'again'\nbase = 'good'\nsmoke = ['true']\n");
    let folder = repository(&twice);
    let mut all = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let cases = listed(&folder, &["--shard", shard]);
        let has = |name: &str| cases.iter().any(|case| case.starts_with(name));
        assert_eq!(has("api-runtime on good"), has("again: api-runtime"), "{cases:?}");
        all.extend(cases);
    }
    all.sort();
    let mut whole = listed(&folder, &[]);
    whole.sort();
    assert_eq!(all, whole);
}

#[test]
fn a_job_matrix_holds_a_job_for_each_case() {
    let output = drydock(&repository(MATRIX), &["--format", "github", "--filter", "musl"]);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"include\":[{\"case\":\"web-runtime on musl (classic)\"},{\"case\":\"web-runtime on musl (buildkit)\"}]}\n"
    );
}

#[test]
fn slips_are_refused_at_their_place() {
    refused("", &[], "there is no case to try");
    refused("[[matrix.case]]\nbase = 'De:bian'", &[], "drydock.toml:2:8: base `De:bian`");
    refused("[[matrix.case]]\nbase = ['a', 'B C']", &[], "drydock.toml:2:14: base `B C`");
    refused("[[matrix.case]]\nbuilder = 'podman'", &[], "drydock.toml:2:11: no builder `podman`");
    refused("[[matrix.case]]\nexpects = 'pass'", &[], "unknown field `expects`");
    refused("[[matrix.case]]\n[[matrix.case]]", &[], "two cases are called \"api-runtime\"");
    refused("[[matrix.case]]\nrepository = 'none'", &[], "none: No such file");
    refused("[[matrix.case]]\nrepository = '.auto'", &[], "not the root of a git repository");
    refused(MATRIX, &["--case", "nobody"], "no case is called \"nobody\"");
    refused(MATRIX, &["--filter", "nobody"], "no case matches nobody");
    refused(MATRIX, &["--base", "none=x"], "the file has no base of that name");
    refused(MATRIX, &["--shard", "4/3"], "`4/3` is no part");
}
