//! `drydock schema NAME`.

use clap::ValueEnum;
use schemars::schema_for;

use crate::exit::Status;
use crate::fault::Fault;
use crate::recording;
use crate::report;

/// Prints the JSON schema of something that Drydock prints.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock schema outcome > outcome.schema.json
  drydock check --json | tail -n 1 | your-validator outcome.schema.json")]
pub(crate) struct Args {
    /// What to describe
    name: Name,
}

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// The last line of `check --json`
    Outcome,
    /// Every other line of `check --json`
    Event,
    /// `plan --format json`
    Plan,
    /// A resolved environment, as `plan --format environment` shows it
    Environment,
    /// The failure in an outcome
    Failure,
    /// `inspect --json`
    Inspect,
    /// `triage --json`
    LogVerdict,
    /// One line of what `--record` writes
    Recording,
    /// `--report json=FILE`
    Summary,
}

pub(crate) fn run(args: &Args) -> Result<Status, Fault> {
    let schema = match args.name {
        Name::Outcome => schema_for!(report::json::Report),
        Name::Event => schema_for!(runner::Event),
        Name::Plan => schema_for!(report::json::PlanReport),
        Name::Environment => schema_for!(environment::ResolvedEnvironment),
        Name::Failure => schema_for!(triage::Failure),
        Name::LogVerdict => schema_for!(triage::LogVerdict),
        Name::Inspect => schema_for!(report::inspect::InspectReport),
        Name::Recording => schema_for!(recording::Record),
        Name::Summary => schema_for!(report::summary::Summary<'_>),
    };
    report::json_pretty(&schema)?;
    Ok(Status::Passed)
}
