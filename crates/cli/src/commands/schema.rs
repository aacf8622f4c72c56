//! `drydock schema NAME`.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use environment::Dialect;
use schemars::schema_for;

use crate::exit::Status;
use crate::fault::Fault;
use crate::recording;
use crate::report;

/// Prints the JSON schema of something that Drydock prints, or of a format's definitions.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock schema outcome > outcome.schema.json
  drydock check --json | tail -n 1 | your-validator outcome.schema.json
  drydock schema ellipsis > ellipsis.schema.json     for `# yaml-language-server: $schema=…`")]
pub(crate) struct Args {
    /// What to describe
    #[arg(value_parser = subjects())]
    name: Subject,
}

/// What has a schema: something printed, or the definitions of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Printed(Name),
    Definitions(Dialect),
}

/// Reads a subject. The formats are whatever the environment crate knows: a new one has its schema at once.
fn subjects() -> impl TypedValueParser<Value = Subject> {
    let printed = Name::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let formats = Dialect::all()
        .map(|dialect| PossibleValue::new(dialect.word()).help("Definitions of this format"));
    PossibleValuesParser::new(printed.chain(formats)).try_map(|word| match word.parse() {
        Ok(dialect) => Ok(Subject::Definitions(dialect)),
        Err(_) => Name::from_str(&word, false).map(Subject::Printed),
    })
}

/// What is printed and has a schema.
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
    let name = match args.name {
        Subject::Printed(name) => name,
        Subject::Definitions(dialect) => {
            report::json_pretty(&environment::schema(dialect))?;
            return Ok(Status::Passed);
        }
    };
    let schema = match name {
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
