//! `drydock replay`: every report of every recording in `cases/`, against its golden text.
//!
//! A case is a folder with `recording.jsonl`. The HTML report is not kept as golden text; what it must
//! be is asked of it here, and of a browser in the `page` test.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]

mod large;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The kinds of report, and the ends of their files.
const KINDS: [(&str, &str); 5] = [
    ("junit", "xml"),
    ("sarif", "sarif.json"),
    ("github", "txt"),
    ("markdown", "md"),
    ("json", "json"),
];

/// Text in `hostile-text` that acts where it is not escaped.
const ACTS: [&str; 3] = ["<img src=x", "\u{1b}", "\u{202e}"];

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay/cases");
    let mut cases: Vec<PathBuf> =
        root.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(!cases.is_empty(), "no case in {}", root.display());
    cases
}

fn replay(case: &Path, arguments: &[&str]) -> Output {
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.arg("replay").arg(case.join("recording.jsonl")).args(arguments);
    drydock.output().unwrap()
}

fn report(case: &Path, kind: &str) -> String {
    let output = replay(case, &["--report", &format!("{kind}=-")]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{}", case.display());
    String::from_utf8(output.stdout).unwrap()
}

fn name(case: &Path) -> String {
    case.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_report_of_every_recording_is_as_golden() {
    for case in cases() {
        insta::with_settings!({ snapshot_path => &case, prepend_module_to_snapshot => false, omit_expression => true }, {
            for (kind, end) in KINDS {
                insta::assert_snapshot!(format!("{kind}.{end}"), report(&case, kind));
            }
            let status = replay(&case, &["--report", "json=-"]).status.code();
            insta::assert_snapshot!("exit", format!("{status:?}"));
        });
    }
}

#[test]
fn a_report_made_twice_is_the_same_bytes() {
    for case in cases() {
        for kind in ["html", "junit", "sarif", "github", "markdown", "json"] {
            assert_eq!(report(&case, kind), report(&case, kind), "{} {kind}", name(&case));
        }
    }
}

#[test]
fn no_report_lets_a_text_act() {
    for case in cases().iter().filter(|case| name(case) == "hostile-text") {
        for kind in ["html", "junit", "sarif", "github", "markdown", "json"] {
            let report = report(case, kind);
            for text in ACTS {
                // Inside JSON and workflow commands markup is only text, and what machines read is exact.
                let is_text = text.starts_with('<') && matches!(kind, "sarif" | "github");
                let report = if kind == "markdown" { unfenced(&report) } else { report.clone() };
                let is_text = is_text || (kind == "json" && text != "\u{1b}");
                assert!(is_text || !report.contains(text), "{kind} holds {text:?}");
            }
            if kind == "html" {
                assert_eq!(report.matches("</script").count(), 1, "a text closes the script");
            }
            if matches!(kind, "github" | "markdown") {
                let commands = report.lines().filter(|line| line.trim_start().starts_with("::"));
                let ours = ["::error title=", "::warning title=", "::notice title="];
                for line in commands {
                    let own = kind == "github" && ours.iter().any(|own| line.starts_with(own));
                    assert!(own, "{kind}: a text became a command: {line}");
                }
            }
            // The old form of a command counts anywhere in a line of a job's log.
            assert!(kind != "markdown" || !report.contains("##["), "{kind}");
        }
    }
}

/// Markdown without its fenced blocks, where markup is only text, and without what is escaped.
fn unfenced(markdown: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut kept = String::new();
    for line in markdown.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => kept.push_str(&line.replace("\\<", "")),
        }
    }
    assert_eq!(fence, None, "a text keeps its fence open");
    kept
}

#[test]
fn the_page_asks_nothing_of_a_network() {
    for case in cases() {
        let page = report(&case, "html");
        for asks in [" src=", "url(", "@import", "<link", "http://", "https://"] {
            let ours = page.replace("&lt;img src=x", "");
            assert!(!ours.contains(asks), "{}: {asks}", name(&case));
        }
        assert!(page.contains("default-src &#39;none&#39;"), "{}", name(&case));
    }
}

#[test]
fn what_is_no_recording_is_refused_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    for (text, words) in [
        ("", "no record in it"),
        ("hello\n", "line 1: neither a record nor an event"),
        (
            "{\"record\":\"started\",\"schema\":\"recording/9\",\"version\":\"\",\"command\":\"\",\"started\":\"\",\"repository\":\"\",\"commit\":null,\"dirty\":false}\n",
            "line 1: the format is \"recording/9\"",
        ),
        ("\n\n{\"record\":\"none\"}\n", "line 3: neither a record nor an event"),
        ("{\"event\":\"none\"}\n", "line 1: neither a record nor an event"),
        ("[1]\n", "line 1: neither"),
    ] {
        std::fs::write(folder.path().join("recording.jsonl"), text).unwrap();
        let output = replay(folder.path(), &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(words), "{text:?}: {stderr}");
    }
}
