//! `drydock replay EVENTS`: every report from a recording.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use crate::exit::Status;
use crate::fault::Fault;
use crate::recording::{self, Fold};
use crate::report::{self, files};

/// Makes reports from a recording: the same ones that the run itself would have made.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock check --record run.jsonl
  drydock replay run.jsonl --report html=run.html --report junit=run.xml
  drydock replay run.jsonl.partial --report markdown=-      what a crash left
  drydock check --json | drydock replay - --report html=run.html

Without `--report` the Markdown report goes to standard output.

Exit status: that of the recorded run; 75 when the recording was cut short.")]
pub(crate) struct Args {
    /// The recording; `-` is standard input
    events: PathBuf,
    /// Write a report: html, junit, sarif, github, markdown or json; may be given again
    #[arg(long = "report", value_name = "KIND=FILE")]
    reports: Vec<files::Wanted>,
}

pub(crate) fn run(args: &Args) -> Result<Status, Fault> {
    let Args { events, reports } = args;
    files::placeable(reports)?;
    let refused = |words: String| {
        Fault::usage(format!("{}: {words}", events.display())).hint(
            "give the file that `--record` wrote, or its `.partial`, or the lines of `check --json`",
        )
    };
    let file: Box<dyn Read> = if events.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(events).map_err(|error| refused(error.to_string()))?)
    };
    let mut fold = Fold::default();
    recording::read(file, &mut fold).map_err(|error| {
        let reason = std::error::Error::source(&error).map(|source| format!(": {source}"));
        refused(format!("{error}{}", reason.unwrap_or_default()))
    })?;
    let recorded = fold.recorded();
    if reports.is_empty() {
        report::data(report::markdown(recorded).as_bytes())?;
    } else {
        files::write(reports, recorded)?;
    }
    Ok(recorded.exit().unwrap_or(Status::Inconclusive))
}
