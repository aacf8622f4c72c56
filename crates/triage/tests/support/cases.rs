//! Reads the cases of a folder, and what the reader says about one.

use std::path::PathBuf;

use serde::Deserialize;
use triage::{Code, LogReader, Retry, Verdict};

/// One case: the log and its labels.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) phase: String,
    pub(crate) fault: String,
    pub(crate) retryable: bool,
    #[serde(skip)]
    pub(crate) log: Vec<u8>,
}

impl Case {
    pub(crate) fn is_negative(&self) -> bool {
        self.kind == "negative"
    }

    /// The code that the kind is; none for a log that passed.
    pub(crate) fn code(&self) -> &str {
        if self.is_negative() { "none" } else { &self.kind }
    }

    pub(crate) fn knows(kind: &str) -> bool {
        Code::ALL.iter().any(|code| code.name() == kind)
    }
}

/// The cases of a folder below `fixtures/`. A folder without both files fails.
pub(crate) fn read(folder: &str) -> Vec<Case> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder);
    let mut cases: Vec<Case> = std::fs::read_dir(&root)
        .expect("a case is readable")
        .map(|entry| {
            let path = entry.expect("a case is readable").path();
            let text = std::fs::read_to_string(path.join("case.json")).expect("a case is readable");
            let mut case: Case = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            case.log = std::fs::read(path.join("log.txt")).expect("a case is readable");
            assert_eq!(
                path.file_name().expect("a case is readable").to_str(),
                Some(case.id.as_str())
            );
            case
        })
        .collect();
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    cases
}

/// What the reader says, in the words of the labels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Got {
    pub(crate) verdict: Verdict,
    pub(crate) code: String,
    pub(crate) phase: String,
    pub(crate) owner: String,
    pub(crate) retry: bool,
}

impl Got {
    pub(crate) fn of(log: &[u8]) -> Self {
        let mut reader = LogReader::new();
        reader.feed(log);
        let verdict = reader.finish();
        let name =
            |value: serde_json::Value| value.as_str().expect("a case is readable").to_owned();
        match verdict.failure {
            Some(failure) => Self {
                verdict: verdict.verdict,
                code: failure.code.name().to_owned(),
                phase: name(serde_json::to_value(failure.phase).expect("a case is readable")),
                owner: name(serde_json::to_value(failure.owner).expect("a case is readable")),
                retry: failure.retry == Retry::Later,
            },
            None => Self {
                verdict: verdict.verdict,
                code: "none".into(),
                phase: "none".into(),
                owner: "none".into(),
                retry: false,
            },
        }
    }
}
