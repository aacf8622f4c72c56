//! Public readers read what Drydock writes: JUnit XML, SARIF 2.1.0, workflows, action, hooks.
//!
//! They are installed by `cargo xtask`, which names their folder in `DRYDOCK_TEST_READERS`. Without it
//! the tests say so and prove nothing; with `DRYDOCK_LIVE=required` they fail.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]
#![expect(clippy::print_stderr, reason = "a test without its readers says why it proves nothing")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the readers: a Python environment `venv`, and `node_modules`.
fn readers() -> Option<PathBuf> {
    let folder = std::env::var_os("DRYDOCK_TEST_READERS").map(PathBuf::from);
    if folder.is_none() {
        let required = std::env::var("DRYDOCK_LIVE").is_ok_and(|live| live == "required");
        assert!(!required, "DRYDOCK_TEST_READERS is not set: run `cargo xtask test`");
        eprintln!("skipped: DRYDOCK_TEST_READERS is not set (see `cargo xtask env`)");
    }
    folder
}

fn recordings() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay/cases");
    let mut all: Vec<PathBuf> =
        root.read_dir().unwrap().map(|case| case.unwrap().path().join("recording.jsonl")).collect();
    all.sort();
    assert!(!all.is_empty(), "no recording in {}", root.display());
    all
}

/// What `drydock` prints for these arguments, in a file of this name.
fn printed(folder: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let output = Command::new(env!("CARGO_BIN_EXE_drydock")).args(arguments).output().unwrap();
    assert!(!output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = folder.join(name);
    std::fs::write(&file, &output.stdout).unwrap();
    file
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

fn report(folder: &Path, recording: &Path, kind: &str, name: &str) -> PathBuf {
    let wanted = format!("{kind}=-");
    printed(folder, name, &["replay", recording.to_str().unwrap(), "--report", &wanted])
}

#[test]
fn junit_is_read_and_counts_as_we_count() {
    let Some(readers) = readers() else { return };
    const COUNT: &str = "import sys, json; from junitparser import JUnitXml
suites = JUnitXml.fromfile(sys.argv[1])
cases = [case for suite in suites for case in suite]
kinds = [type(result).__name__ for case in cases for result in case.result]
print(json.dumps([len(cases), kinds.count('Failure'), kinds.count('Error'), kinds.count('Skipped')]))";
    let folder = tempfile::tempdir().unwrap();
    for recording in recordings() {
        let junit = report(folder.path(), &recording, "junit", "junit.xml");
        let summary = report(folder.path(), &recording, "json", "summary.json");
        let summary: serde_json::Value =
            serde_json::from_slice(&std::fs::read(summary).unwrap()).unwrap();
        let counts = &summary["counts"];
        let ours = serde_json::json!([
            summary["cases"].as_array().unwrap().len(),
            counts["not_as_expected"],
            counts["infrastructure"],
            counts["not_run"]
        ]);
        let read =
            run(Command::new(readers.join("venv/bin/python")).args(["-c", COUNT]).arg(&junit));
        let read: serde_json::Value = serde_json::from_str(&read).unwrap();
        assert_eq!(read, ours, "{}", recording.display());
    }
}

#[test]
fn sarif_meets_its_schema_and_is_read() {
    let Some(readers) = readers() else { return };
    let schema =
        readers.join("node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    let folder = tempfile::tempdir().unwrap();
    for recording in recordings() {
        let sarif = report(folder.path(), &recording, "sarif", "report.sarif");
        let check = readers.join("venv/bin/check-jsonschema");
        // The schema's patterns are JavaScript's, one of them of the old kind.
        let check = run(Command::new(check)
            .args(["--regex-variant", "nonunicode"])
            .arg("--schemafile")
            .arg(&schema)
            .arg(&sarif));
        assert!(check.contains("ok"), "{check}");
        let summary = run(Command::new(readers.join("venv/bin/sarif")).arg("summary").arg(&sarif));
        assert!(summary.contains("error:"), "{summary}");
    }
}

#[test]
fn workflows_meet_their_schemas() {
    let Some(readers) = readers() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let check = |schema: &str, file: &Path| {
        let mut check = Command::new(readers.join("venv/bin/check-jsonschema"));
        run(check.args(["--builtin-schema", schema]).arg(file));
    };
    check("vendor.github-actions", &root.join("action.yml"));
    let folder = tempfile::tempdir().unwrap();
    let case = "[[matrix.case]]\nexpect = \"pass\"\n";
    for (drydock_toml, kind) in [("", "check"), (case, "matrix")] {
        std::fs::write(folder.path().join("drydock.toml"), drydock_toml).unwrap();
        for (whose, schema) in
            [("github", "vendor.github-workflows"), ("gitlab", "vendor.gitlab-ci")]
        {
            let here = folder.path().to_str().unwrap();
            let name = format!("{whose}.yml");
            let workflow = printed(folder.path(), &name, &["-C", here, "ci", whose]);
            let text = std::fs::read_to_string(&workflow).unwrap();
            assert!(text.contains(&format!("drydock {kind} ")), "{text}");
            // A change of any format's definitions starts it.
            for place in [".auto/", "agents/", ".ellipsis/", ".qoder/", "environment.yaml"] {
                assert!(text.contains(&format!("\"{place}")), "{place} in\n{text}");
            }
            check(schema, &workflow);
        }
    }
}

/// The definitions of the cases whose names begin so, below this folder.
fn definitions(beginning: &str, below: &str) -> Vec<PathBuf> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../environment/tests/cases");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let named = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(beginning);
    let folders = entries(&cases).into_iter().filter(named).map(|case| case.join(below));
    let files = folders.filter(|folder| folder.is_dir()).flat_map(|folder| entries(&folder));
    let yaml = |path: &PathBuf| path.extension().is_some_and(|end| end == "yaml" || end == "json");
    files.filter(yaml).collect()
}

#[test]
fn good_definitions_meet_the_schema_for_editors() {
    let Some(readers) = readers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let check = |dialect: &str, files: &[PathBuf]| {
        let schema = printed(folder.path(), "schema.json", &["schema", dialect]);
        let mut check = Command::new(readers.join("venv/bin/check-jsonschema"));
        check.arg("--schemafile").arg(schema).args(files).output().unwrap()
    };
    for (dialect, beginning, below) in [
        ("auto", "good-", ".auto/agents"),
        ("ellipsis", "ellipsis-good-everything", ".agents"),
        ("qoder", "qoder-good-", ".qoder"),
        ("claude", "claude-good-published", ""),
    ] {
        let files = definitions(beginning, below);
        assert!(!files.is_empty(), "no good definition of {dialect}");
        let output = check(dialect, &files);
        let words = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{dialect}: {words}");
    }
    // What is missing is missed only where no import can bring it.
    let agent = folder.path().join("agent.yaml");
    for (imports, meets) in [("", false), ("imports: [../fragments/base.yaml]\n", true)] {
        let text = format!("name: a\nharness: codex\n{imports}environment: {{ name: e }}\n");
        std::fs::write(&agent, text).unwrap();
        let output = check("auto", std::slice::from_ref(&agent));
        assert_eq!(output.status.success(), meets, "{imports}");
    }
}

#[test]
fn hooks_are_read_by_pre_commit() {
    let Some(readers) = readers() else { return };
    let hooks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.pre-commit-hooks.yaml");
    let mut pre_commit = Command::new(readers.join("venv/bin/pre-commit"));
    run(pre_commit.arg("validate-manifest").arg(hooks));
}

#[test]
fn recordings_and_summaries_meet_our_own_schemas() {
    let Some(readers) = readers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let summary_schema = printed(folder.path(), "summary.schema.json", &["schema", "summary"]);
    let recording_schema =
        printed(folder.path(), "recording.schema.json", &["schema", "recording"]);
    let check = |schema: &Path, files: &[PathBuf]| {
        let mut check = Command::new(readers.join("venv/bin/check-jsonschema"));
        run(check.arg("--schemafile").arg(schema).args(files));
    };
    for recording in recordings() {
        check(&summary_schema, &[report(folder.path(), &recording, "json", "summary.json")]);
        if recording.parent().unwrap().ends_with("matrix") {
            let text = std::fs::read_to_string(&recording).unwrap();
            let lines = text.lines().enumerate().map(|(index, line)| {
                let file = folder.path().join(format!("line-{index}.json"));
                std::fs::write(&file, line).unwrap();
                file
            });
            check(&recording_schema, &lines.collect::<Vec<_>>());
        }
    }
}
