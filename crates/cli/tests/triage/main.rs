//! `drydock triage` as a process: each folder in `cases` is run as it says, against golden text.
//!
//! `arguments` has one argument a line; `stdin`, where it is there, is the standard input. The folder is
//! copied to a place below no repository; what it holds (`build.log`, `.auto/`) is the working tree.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

#[test]
fn every_case_says_what_its_golden_text_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/triage/cases");
    let mut cases: Vec<PathBuf> =
        root.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(!cases.is_empty(), "no case in {}", root.display());
    for case in cases {
        let human = triage(&case, &[]);
        let json = triage(&case, &["--json"]);
        let name = case.display();
        assert_eq!(human.status.code(), json.status.code(), "{name}: --json changes the status");
        assert_eq!(human.stderr, json.stderr, "{name}: --json changes what is said beside");
        let status = human.status.code();
        let said = format!(
            "exit status: {status:?}\n-- stdout\n{}-- stderr\n{}",
            text(&human.stdout),
            text(&human.stderr)
        );
        insta::with_settings!({ snapshot_path => &case, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("words", said);
            insta::assert_snapshot!("json", text(&json.stdout));
        });
    }
}

/// A log that comes in pieces through a pipe says what it says as a file.
#[test]
fn a_pipe_says_what_the_file_says() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/triage/cases/author");
    let place = tempfile::tempdir().unwrap();
    fs::copy(case.join("build.log"), place.path().join("build.log")).unwrap();
    let file = run(place.path(), &["build.log".to_owned()], None);
    let log = fs::read(case.join("build.log")).unwrap();
    for arguments in [vec![], vec!["-".to_owned()]] {
        let pipe = run(place.path(), &arguments, Some(&log));
        assert_eq!(pipe, file, "{arguments:?}");
    }
}

fn triage(case: &Path, more: &[&str]) -> Output {
    let place = tempfile::tempdir().unwrap();
    copy(case, place.path());
    let arguments = fs::read_to_string(case.join("arguments")).unwrap();
    let arguments: Vec<String> =
        arguments.lines().chain(more.iter().copied()).map(str::to_owned).collect();
    run(place.path(), &arguments, fs::read(case.join("stdin")).ok().as_deref())
}

fn run(place: &Path, arguments: &[String], input: Option<&[u8]>) -> Output {
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.arg("triage").args(arguments).current_dir(place);
    drydock.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut drydock = drydock.spawn().unwrap();
    // A refused command has closed its end before it reads: that is not the test's fault.
    let _ =
        std::io::Write::write_all(&mut drydock.stdin.take().unwrap(), input.unwrap_or_default());
    drydock.wait_with_output().unwrap()
}

fn copy(from: &Path, to: &Path) {
    for entry in from.read_dir().unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&place).unwrap();
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
