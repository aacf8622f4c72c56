//! `drydock triage`: what a build log says failed.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use environment::Source;
use triage::{Authored, LogReader, LogVerdict, Owner, SourcePlace, Verdict};

use crate::definitions::Definitions;
use crate::exit::Status;
use crate::fault::Fault;
use crate::report;
use crate::repository::Repository;
use crate::sources::WorkingTree;
use crate::target;

/// Bytes that are read at once.
const PIECE: usize = 256 * 1024;

/// Says what failed, whose fault it is and whether to retry, from a log of any builder. Needs no engine.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock triage build.log
  docker build . 2>&1 | drydock triage
  gh run view --log-failed | drydock triage --json
  drydock triage build.log --definition .auto/agents/repository-agent.yaml

Reads what classic Docker, BuildKit (plain, terminal, rawjson), the engine's JSON stream, Podman, Buildah, kaniko,
E2B and `docker pull`/`run` write, inside the logs of GitHub, GitLab, Jenkins, Buildkite and others.

Exit status: 0 it passed   1 it failed, the author or the base image must act
  75 it failed for a reason that lies with the infrastructure, or the log does not tell   2 usage")]
pub(crate) struct Args {
    /// The log; standard input when left out or `-`
    #[arg(value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the verdict as JSON, by the schema of `drydock schema log-verdict`
    #[arg(long)]
    json: bool,
    /// Look the failing step up in this agent's file (or name); in a repository all agents are searched
    #[arg(long, value_name = "FILE")]
    definition: Option<String>,
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let Args { log, json, definition } = args;
    let mut verdict = match &log {
        Some(path) if path.as_os_str() != "-" => {
            let unreadable = |error: std::io::Error| {
                Fault::usage(format!("{}: {error}", path.display()))
                    .hint("give the log's path, or `-` for standard input")
            };
            read(File::open(path).map_err(unreadable)?).map_err(unreadable)?
        }
        _ => read(std::io::stdin().lock())
            .map_err(|error| Fault::usage(format!("standard input: {error}")))?,
    };
    look_up(&mut verdict, definition.as_deref())?;
    if json {
        report::json_pretty(&verdict)?;
    } else {
        report::data(report::triage::words(&verdict).as_bytes())?;
    }
    Ok(status(&verdict))
}

/// Reads a log to its end, in constant memory.
fn read(mut log: impl Read) -> std::io::Result<LogVerdict> {
    let mut reader = LogReader::new();
    let mut piece = vec![0; PIECE];
    loop {
        match log.read(&mut piece) {
            Ok(0) => return Ok(reader.finish()),
            Ok(count) => reader.feed(&piece[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Finds the failing step in the author's file. Only an asked-for definition must be readable.
fn look_up(verdict: &mut LogVerdict, definition: Option<&str>) -> Result<(), Fault> {
    let Some(failure) = &mut verdict.failure else { return Ok(()) };
    let Some(instruction) = &failure.instruction else { return Ok(()) };
    let steps = match authored(definition) {
        Ok(steps) => steps,
        Err(fault) if definition.is_some() => return Err(fault),
        Err(_) => return Ok(()),
    };
    failure.source = triage::locate(instruction, &steps).map(|step| step.place.clone());
    Ok(())
}

/// The steps of the definitions in the working tree.
fn authored(definition: Option<&str>) -> Result<Vec<Authored>, Fault> {
    let unreadable = |error: &dyn std::fmt::Display| Fault::usage(error.to_string());
    let here = std::env::current_dir().map_err(|error| unreadable(&error))?;
    let repository = Repository::find(&here).map_err(|error| unreadable(&error))?;
    let target = target::parse(&repository, definition)?;
    let source = WorkingTree::open(repository.root()).map_err(|error| unreadable(&error))?;
    let definitions =
        Definitions::read(&source as &dyn Source, &target, &environment::Options::default());
    if let Some(asked) = definition.filter(|_| definitions.plans.is_empty()) {
        let found = definitions.findings.first();
        let message = found
            .map_or_else(|| format!("{asked} holds no agent"), |finding| finding.message.clone());
        return Err(Fault::usage(message)
            .hint("give the file or the name of the agent that the log is of, or leave it out"));
    }
    let mut steps: Vec<Authored> = definitions
        .plans
        .iter()
        .flat_map(|shared| &shared.plan.instructions)
        .filter_map(|instruction| {
            let place = instruction.place.as_ref()?;
            let place = SourcePlace {
                file: place.file.to_string(),
                line: place.line,
                column: place.column,
            };
            Some(Authored { text: instruction.text.clone(), place })
        })
        .collect();
    steps.sort_by(|a, b| (&a.place.file, a.place.line).cmp(&(&b.place.file, b.place.line)));
    steps.dedup();
    Ok(steps)
}

const fn status(verdict: &LogVerdict) -> Status {
    match (verdict.verdict, &verdict.failure) {
        (Verdict::Passed, _) => Status::Passed,
        (Verdict::Failed, Some(failure)) => match failure.owner {
            Owner::Author | Owner::BaseImage => Status::Failed,
            Owner::Infrastructure | Owner::Tool => Status::Inconclusive,
        },
        (Verdict::Failed, None) | (Verdict::Inconclusive, _) => Status::Inconclusive,
    }
}
