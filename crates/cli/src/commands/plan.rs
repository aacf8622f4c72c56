//! `drydock plan`: show what would be built, and where each part comes from.

use clap::ValueEnum;
use environment::{ResolvedEnvironment, Source};
use planner::{ContextRoot, Plan};

use crate::config::Config;
use crate::definitions::{self, Definitions};
use crate::exit::Status;
use crate::fault::Fault;
use crate::report::{self, findings, json};
use crate::repository::Repository;
use crate::sources::{CommitSource, WorkingTree};
use crate::target;

/// Shows what would be built. Reads the working tree; builds nothing and needs no engine.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock plan                                  every environment of this repository
  drydock plan repository-agent                 one agent, or every agent of one environment
  drydock plan --format dockerfile | less       the Dockerfile alone
  drydock plan --format receipt                 authored step beside the lines that it became
  drydock plan --explain /base                  where a value comes from
  drydock plan env.yaml --dialect qoder         a file that two formats fit
  drydock plan --rev v1.2 --json                another commit, for machines

Exit status: 0, or 2 when a finding is an error.")]
pub(crate) struct Args {
    /// An agent's file, an agent's or an environment's name; everything when left out
    target: Option<String>,
    #[command(flatten)]
    dialect: definitions::Format,
    /// Read this commit instead of the working tree
    #[arg(long, value_name = "REV")]
    rev: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Tell where a value comes from, by its pointer (`/compute/memory_mib`, `/config/packages`)
    #[arg(long, value_name = "POINTER", conflicts_with_all = ["format", "json"])]
    explain: Option<String>,
}

/// What `plan` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Each value with where it came from
    Human,
    /// The Dockerfile
    Dockerfile,
    /// Plans and findings, by the schema of `drydock schema plan`
    Json,
    /// Authored steps beside the lines that they became
    Receipt,
    /// The resolved environments, by the schema of `drydock schema environment`
    Environment,
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let Args { target, dialect, rev, format, json, explain } = args;
    let format = if json { Format::Json } else { format };
    let here = std::env::current_dir().map_err(|error| Fault::usage(error.to_string()))?;
    let repository = Repository::find(&here).map_err(|error| Fault::usage(error.to_string()))?;
    let target = target::parse(&repository, target.as_deref())?;
    let source: Box<dyn Source> = match &rev {
        None => Box::new(open(WorkingTree::open(repository.tree()?))?),
        Some(rev) => Box::new(open(CommitSource::open(&repository, &repository.commit(rev)?))?),
    };
    let config = Config::read(source.as_ref())?;
    let options = dialect.options(&config, repository.slug());
    let definitions = Definitions::read(source.as_ref(), &target, &options);
    let invalid = findings::has_error(&definitions.findings);
    match &explain {
        Some(pointer) => explained(source.as_ref(), &definitions, pointer)?,
        None => print(&definitions, format)?,
    }
    if format != Format::Json {
        findings::print(&definitions.findings);
    }
    Ok(if invalid { Status::Invalid } else { Status::Passed })
}

/// Prints where the values at a pointer come from, in each environment.
fn explained(source: &dyn Source, definitions: &Definitions, pointer: &str) -> Result<(), Fault> {
    let environments = definitions.plans.iter().map(|shared| &shared.environment);
    let words: Vec<String> =
        environments.filter_map(|one| report::explain::words(source, one, pointer)).collect();
    let first = definitions.plans.first().filter(|_| words.is_empty());
    if let Some(shared) = first {
        let near = report::explain::near(&shared.environment, pointer);
        let hint = match near.as_slice() {
            [] => "see `drydock plan --format environment`, or name a field of the definition"
                .to_owned(),
            near => format!("did you mean `{}`?", near.join("`, `")),
        };
        return Err(Fault::usage(format!("nothing stands at {pointer}")).hint(hint));
    }
    report::data(words.join("\n").as_bytes())
}

/// Prints the plans. A plan with an error is shown all the same, except as a Dockerfile: that one
/// may be piped into a builder.
fn print(definitions: &Definitions, format: Format) -> Result<(), Fault> {
    let Definitions { plans, findings } = definitions;
    let each = |view: fn(&Plan, &ResolvedEnvironment) -> String| {
        let views: Vec<String> =
            plans.iter().map(|shared| view(&shared.plan, &shared.environment)).collect();
        report::data(views.join("\n").as_bytes())
    };
    match format {
        Format::Human => each(planner::view::human),
        Format::Receipt => each(planner::view::receipt),
        Format::Dockerfile if findings::has_error(findings) => Ok(()),
        Format::Dockerfile => each(|plan, _| planner::render(plan, ContextRoot::Checkout)),
        Format::Json => report::json_pretty(&json::PlanReport {
            schema: "plan-report/1".to_owned(),
            plans: plans.iter().map(|shared| shared.plan.clone()).collect(),
            findings: json::rows(findings),
        }),
        Format::Environment => {
            let all: Vec<_> = plans.iter().map(|shared| &shared.environment).collect();
            report::json_pretty(&all)
        }
    }
}

fn open<T>(source: std::io::Result<T>) -> Result<T, Fault> {
    source.map_err(|error| Fault::usage(error.to_string()))
}
