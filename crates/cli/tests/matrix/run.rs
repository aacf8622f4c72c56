//! Runs `drydock matrix` in a folder of repositories, and reads its recording.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::commit::commit;
use crate::engine::Engine;

/// A folder with repositories and a `drydock.toml` beside them.
pub(crate) struct Fleet {
    folder: TempDir,
}

/// How a run ended.
pub(crate) struct Ended {
    /// The exit status.
    pub(crate) status: Option<i32>,
    /// Standard error.
    pub(crate) stderr: String,
    /// The records.
    pub(crate) records: Vec<Value>,
}

impl Fleet {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Adds a repository with these files.
    pub(crate) fn add(&self, name: &str, files: &[(&str, String)]) {
        for (path, text) in files {
            let path = self.path().join(name).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        commit(&self.path().join(name));
    }

    /// Adds a copy of a folder as a repository.
    pub(crate) fn copy(&self, from: &Path) {
        let done = Command::new("cp").arg("-a").arg(from).arg(self.path()).status().unwrap();
        assert!(done.success(), "cp {}", from.display());
        let name = from.file_name().unwrap().to_str().unwrap();
        let _ = std::fs::remove_file(self.path().join(name).join("expect.toml"));
        commit(&self.path().join(name));
    }

    /// Writes the matrix.
    pub(crate) fn matrix(&self, text: &str) {
        std::fs::write(self.path().join("drydock.toml"), text).unwrap();
    }

    /// Where the recording goes.
    pub(crate) fn recording(&self) -> PathBuf {
        self.path().join("run.jsonl")
    }

    /// `drydock matrix`, not started yet.
    pub(crate) fn command(&self, engine: &Engine, more: &[&str]) -> Command {
        let mut drydock = engine.drydock("matrix");
        drydock
            .arg("--file")
            .arg(self.path().join("drydock.toml"))
            .arg("--record")
            .arg(self.recording());
        drydock.args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        drydock
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, engine: &Engine, more: &[&str]) -> Ended {
        self.ended(&self.command(engine, more).output().unwrap())
    }

    /// What a run that ended has told.
    pub(crate) fn ended(&self, output: &Output) -> Ended {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = std::fs::read_to_string(self.recording()).unwrap_or_default();
        let records = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Ended { status: output.status.code(), stderr, records }
    }
}

impl Ended {
    /// The events of this name.
    pub(crate) fn events(&self, name: &str) -> Vec<&Value> {
        let events = self.records.iter().map(|record| &record["event"]);
        events.filter(|event| event["event"] == name).collect()
    }

    /// The records of this kind.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<&Value> {
        self.records.iter().filter(|record| record["record"] == kind).collect()
    }

    /// Nothing that the runs made is on the engine.
    pub(crate) fn left_nothing(&self, engine: &Engine) {
        for run in self.events("run-started") {
            let left = engine.left_of(run["run"].as_str().unwrap()).unwrap();
            assert_eq!(left, [""; 0], "left on the engine");
        }
    }
}
