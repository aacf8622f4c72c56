//! Runs the `drydock` binary and reads what it says.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::engine::Engine;

/// What a run said.
pub(crate) struct Said {
    /// Its exit status.
    pub(crate) status: Option<i32>,
    /// One JSON value for each line of standard output.
    pub(crate) lines: Vec<Value>,
    /// Standard error.
    pub(crate) stderr: String,
}

impl Said {
    /// The ids of the runs that it told of.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| line["run"].as_str())
    }

    /// The last line: the report.
    pub(crate) fn report(&self) -> &Value {
        self.lines.last().unwrap_or(&Value::Null)
    }
}

/// A `drydock check --json` of one repository, with a temporary folder of its own.
pub(crate) struct Check {
    command: Command,
    temporary: TempDir,
}

impl Check {
    /// Not started yet.
    pub(crate) fn new(engine: &Engine, repository: &Path, builder: &str) -> Result<Self, String> {
        let temporary = TempDir::new().map_err(|error| error.to_string())?;
        let mut command = engine.drydock("check");
        command
            .args(["--json", "--builder", builder])
            .current_dir(repository)
            .env("TMPDIR", temporary.path())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Ok(Self { command, temporary })
    }

    /// Adds arguments.
    pub(crate) fn args<'a>(&mut self, args: impl IntoIterator<Item = &'a str>) -> &mut Self {
        self.command.args(args);
        self
    }

    /// Starts it.
    pub(crate) fn spawn(&mut self) -> Result<Child, String> {
        self.command.spawn().map_err(|error| format!("drydock does not start: {error}"))
    }

    /// Runs it to its end.
    pub(crate) fn run(&mut self) -> Result<Said, String> {
        said(self.spawn()?)
    }

    /// Its temporary folder.
    pub(crate) fn temporary(&self) -> &Path {
        self.temporary.path()
    }

    /// What lies in its temporary folder.
    pub(crate) fn temporary_files(&self) -> Vec<PathBuf> {
        let entries = self.temporary.path().read_dir().into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
    }
}

/// Waits for a started run and reads what it said.
pub(crate) fn said(child: Child) -> Result<Said, String> {
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Result<Vec<Value>, _> = stdout.lines().map(serde_json::from_str).collect();
    let lines = lines.map_err(|error| format!("not JSON: {error}\n{stdout}\n{stderr}"))?;
    Ok(Said { status: output.status.code(), lines, stderr })
}
