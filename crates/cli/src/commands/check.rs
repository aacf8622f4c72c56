//! `drydock check`: definitions of a commit → plans → the engine → a verdict.

mod checkout;
mod dirty;
mod run;

use std::time::Duration;

use clap::ValueEnum;
use environment::{Finding, Source};
use runner::{PullPolicy, SmokeCommand, Timeouts};

use crate::commands::engine;
use crate::config::Config;
use crate::definitions::Definitions;
use crate::exit::Status;
use crate::fault::Fault;
use crate::report::findings;
use crate::report::verdict::Closing;
use crate::repository::Repository;
use crate::sources::{CommitSource, WorkingTree};
use crate::target;

/// Builds and tries environments on the Docker engine at hand, and says whether the platform could.
///
/// Definitions and files are those of a commit: what is untracked, ignored or not committed cannot enter.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock check                                   every environment of this repository, at HEAD
  drydock check repository-agent --smoke 'make test'
  drydock check .auto/agents/x.yaml --base alpine:3.23     the same plan on another base
  drydock check --json | tail -n 1 | jq .failure

`drydock.toml` at the repository's root may hold `smoke = [\"make test\"]`.

Exit status:
  0 passed   1 failed: the author or the base image must act   2 usage or invalid definition
  69 no engine   70 a fault of Drydock   75 inconclusive, trying again may help   130 cancelled")]
pub(crate) struct Args {
    /// An agent's file, an agent's or an environment's name; everything when left out
    target: Option<String>,
    /// The commit whose definitions and files are tried
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    rev: String,
    /// Read definitions from the working tree, committed or not
    #[arg(long)]
    allow_dirty: bool,
    /// Try the same plan on another base image
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// When to pull the base image
    #[arg(long, value_enum, default_value_t = Pull::Missing)]
    pull: Pull,
    /// A command that must pass in the finished environment; may be given again
    #[arg(long, value_name = "COMMAND")]
    smoke: Vec<String>,
    /// Leave the image on the engine, and say its name
    #[arg(long)]
    keep: bool,
    /// Print one event a line as JSON, the outcome last
    #[arg(long)]
    json: bool,
    /// Longest time for one setup entry (hosted: 10m)
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration, help_heading = "Limits")]
    setup_timeout: Duration,
    /// Longest time for one authored step
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = humantime::parse_duration, help_heading = "Limits")]
    step_timeout: Duration,
    /// Longest time for one smoke command
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration, help_heading = "Limits")]
    smoke_timeout: Duration,
    /// Longest time without a sign of life from a pull or a step
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = humantime::parse_duration, help_heading = "Limits")]
    silence_timeout: Duration,
    #[command(flatten)]
    engine: engine::EngineArgs,
}

/// When to pull the base image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Pull {
    /// Each time: a tag may have moved
    Always,
    /// When the engine does not have it
    Missing,
    /// Never
    Never,
}

/// What the flags come to: what is tried, and how.
struct Settings {
    base: Option<String>,
    pull: PullPolicy,
    smoke: Vec<SmokeCommand>,
    timeouts: Timeouts,
    keep: bool,
    json: bool,
    dirty: bool,
    engine: runner::EngineOptions,
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let Args { target, rev, allow_dirty, base, pull, smoke, keep, json, .. } = args;
    let timeouts = Timeouts {
        setup: args.setup_timeout,
        step: args.step_timeout,
        smoke: args.smoke_timeout,
        silence: args.silence_timeout,
    };
    let here = std::env::current_dir().map_err(|error| Fault::usage(error.to_string()))?;
    let repository = Repository::find(&here).map_err(|error| Fault::usage(error.to_string()))?;
    if !repository.is_git() {
        return Err(Fault::usage(format!("{} is no git repository", here.display()))
            .hint("`check` tries a commit; `drydock plan` reads plain folders"));
    }
    let commit = repository.commit(&rev)?;
    let target = target::parse(&repository, target.as_deref())?;
    let source: Box<dyn Source> = if allow_dirty {
        Box::new(opened(WorkingTree::open(repository.root()))?)
    } else {
        Box::new(opened(CommitSource::open(&repository, &commit))?)
    };
    let config = Config::read(source.as_ref())?;
    let slug = repository.slug();
    let mut definitions = Definitions::read(source.as_ref(), &target, slug.as_deref());
    if rev == "HEAD" && !allow_dirty {
        dirty::refuse(&repository, &target, &definitions)?;
    }
    let settings = Settings {
        base: base.as_deref().map(checked_base).transpose()?,
        pull: match pull {
            Pull::Always => PullPolicy::Always,
            Pull::Missing => PullPolicy::Missing,
            Pull::Never => PullPolicy::Never,
        },
        smoke: smoke_commands(config, smoke),
        timeouts,
        keep,
        json,
        dirty: allow_dirty,
        engine: args.engine.lower(),
    };
    engine::block_on(async {
        definitions.findings.extend(checkout::findings(&repository, &commit, &definitions).await?);
        proved(&repository, &commit, &definitions, &settings).await
    })?
}

/// Shows the findings, tries each plan, and closes with the verdict.
async fn proved(
    repository: &Repository,
    commit: &str,
    definitions: &Definitions,
    settings: &Settings,
) -> Result<Status, Fault> {
    let found: &[Finding] = &definitions.findings;
    if !settings.json {
        findings::print(found);
    }
    let closing = Closing { findings: found, json: settings.json, dirty: settings.dirty };
    if findings::has_error(found) {
        return closing.invalid();
    }
    let engine = match runner::connect(&settings.engine).await {
        Ok(engine) => engine,
        Err(error) => return closing.no_engine(&error),
    };
    let tried = run::all(&engine, repository, commit, definitions, settings).await;
    closing.verdict(tried)
}

/// The repository's own smoke commands, then the ones of this call.
fn smoke_commands(config: Config, more: Vec<String>) -> Vec<SmokeCommand> {
    let all = config.smoke.into_iter().chain(more);
    all.map(|command| SmokeCommand { name: command.clone(), command }).collect()
}

fn checked_base(base: &str) -> Result<String, Fault> {
    match base.trim().parse::<environment::ImageRef>() {
        Ok(reference) => Ok(reference.to_string()),
        Err(error) => Err(Fault::usage(format!("--base {base:?}: {error}"))
            .hint("give one image reference, such as `debian:bookworm`")),
    }
}

fn opened<T>(source: std::io::Result<T>) -> Result<T, Fault> {
    source.map_err(|error| Fault::usage(error.to_string()))
}
