//! `drydock check`: definitions of a commit → plans → the engine → a verdict.

mod base;
pub(crate) mod checkout;
pub(crate) mod dirty;
mod record;
mod run;

use std::time::Duration;

use clap::ValueEnum;
use environment::{Finding, Source};
use runner::{PullPolicy, SmokeCommand, Timeouts};

use crate::commands::engine;
use crate::config::{self, Config};
use crate::definitions::{Definitions, Format};
use crate::exit::Status;
use crate::fault::Fault;
use crate::recording::Recorder;
use crate::report::verdict::Closing;
use crate::report::{files, findings};
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
    #[command(flatten)]
    format: Format,
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
    #[arg(long, value_name = "COMMAND", value_parser = config::command)]
    smoke: Vec<String>,
    /// Build even when the base's files say that it will be refused
    #[arg(long)]
    no_static: bool,
    /// Leave the image on the engine, and say its name
    #[arg(long)]
    keep: bool,
    /// Print one event a line as JSON, the outcome last
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reports: files::Reports,
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
pub(crate) enum Pull {
    /// Each time: a tag may have moved
    Always,
    /// When the engine does not have it
    Missing,
    /// Never
    Never,
}

impl Pull {
    /// What the runner needs to know.
    pub(crate) const fn lower(self) -> PullPolicy {
        match self {
            Self::Always => PullPolicy::Always,
            Self::Missing => PullPolicy::Missing,
            Self::Never => PullPolicy::Never,
        }
    }
}

/// What the flags come to.
struct Settings {
    target: Option<String>,
    format: Format,
    rev: String,
    allow_dirty: bool,
    base: Option<String>,
    pull: PullPolicy,
    smoke: Vec<String>,
    timeouts: Timeouts,
    no_static: bool,
    keep: bool,
    json: bool,
    reports: files::Reports,
    engine: runner::EngineOptions,
}

impl Args {
    fn lower(self) -> Result<Settings, Fault> {
        let Self {
            target,
            format,
            rev,
            allow_dirty,
            base,
            pull,
            smoke,
            no_static,
            keep,
            json,
            reports,
            setup_timeout: setup,
            step_timeout: step,
            smoke_timeout,
            silence_timeout: silence,
            engine,
        } = self;
        Ok(Settings {
            target,
            format,
            rev,
            allow_dirty,
            base: base.as_deref().map(checked_base).transpose()?,
            pull: pull.lower(),
            smoke,
            timeouts: Timeouts { setup, step, smoke: smoke_timeout, silence },
            no_static,
            keep,
            json,
            reports,
            engine: engine.lower(),
        })
    }
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let json = args.json;
    let result = args.lower().and_then(|settings| prove(&settings));
    // Whoever reads the last line must find an outcome there, whatever went wrong.
    if json && let Err(fault) = &result {
        Closing { findings: &[], json, dirty: false }.fault(fault)?;
    }
    result
}

fn prove(settings: &Settings) -> Result<Status, Fault> {
    let here = std::env::current_dir().map_err(|error| Fault::usage(error.to_string()))?;
    let repository = Repository::find(&here).map_err(|error| Fault::usage(error.to_string()))?;
    let commit = repository.commit(&settings.rev)?;
    let target = target::parse(&repository, settings.target.as_deref())?;
    let source: Box<dyn Source> = if settings.allow_dirty {
        Box::new(opened(WorkingTree::open(repository.tree()?))?)
    } else {
        Box::new(opened(CommitSource::open(&repository, &commit))?)
    };
    let config = Config::read(source.as_ref())?;
    let options = settings.format.options(&config, repository.slug());
    let smoke = smoke_commands(config, &settings.smoke);
    let mut definitions = Definitions::read(source.as_ref(), &target, &options);
    if settings.rev == "HEAD" && !settings.allow_dirty {
        dirty::refuse(&repository, &target, &definitions, &options)?;
    }
    let trial = run::Trial { repository: &repository, commit: &commit, smoke, settings };
    let mut recorder = trial.begin_recording()?;
    let status = engine::block_on(async {
        definitions.findings.extend(checkout::findings(&repository, &commit, &definitions).await?);
        trial.announce(&mut recorder, source.as_ref(), &definitions)?;
        proved(&trial, &definitions, &mut recorder).await
    })??;
    settings.reports.write(&recorder.finish(status)?)?;
    Ok(status)
}

/// Shows the findings, tries each plan, and closes with the verdict.
async fn proved(
    trial: &run::Trial<'_>,
    definitions: &Definitions,
    recorder: &mut Recorder,
) -> Result<Status, Fault> {
    let found: &[Finding] = &definitions.findings;
    let Settings { json, allow_dirty, engine, .. } = trial.settings;
    if !json {
        findings::print(found);
    }
    let closing = Closing { findings: found, json: *json, dirty: *allow_dirty };
    if findings::has_error(found) {
        let outcome = closing.invalid();
        record::unproven(recorder, definitions, &outcome)?;
        return closing.unproven(outcome, Status::Invalid);
    }
    if definitions.plans.is_empty() {
        return Err(Fault::usage("there is no environment to check".to_owned())
            .hint("define one in `.auto/agents/*.yaml`"));
    }
    match runner::connect(engine).await {
        Ok(engine) => closing.verdict(trial.all(&engine, &definitions.plans, recorder).await?),
        Err(error) => {
            let outcome = closing.no_engine(&error);
            record::unproven(recorder, definitions, &outcome)?;
            closing.unproven(outcome, Status::NoEngine)
        }
    }
}

/// The repository's own smoke commands, then the ones of this call.
fn smoke_commands(config: Config, more: &[String]) -> Vec<SmokeCommand> {
    let all = config.smoke.into_iter().chain(more.iter().cloned());
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
