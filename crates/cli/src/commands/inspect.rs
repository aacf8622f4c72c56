//! `drydock inspect`: an image's files → what the contract's probe would say, without running anything.

use clap::ValueEnum;
use contract::{Answer, CheckResult, Level};
use image::{Inspection, Options, Places, ReadCode, ReadFailure, ReadOwner, ReadRetry};

use crate::commands::engine;
use crate::exit::Status;
use crate::fault::Fault;
use crate::report::inspect as report;

/// Says what the contract's probe would say of an image, from its files alone. Runs nothing and needs no engine.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock inspect debian:bookworm              the engine's image if it has it, else the registry's
  drydock inspect registry:ghcr.io/owner/name@sha256:…
  drydock inspect ./layout                     an OCI layout, or a root file system
  drydock inspect ./image.tar                  `docker save`, `docker export`, an OCI archive
  drydock inspect --json alpine:3.23 | jq .marker

A reference may say where it is: registry:, engine:, oci:, docker-archive:, dir:.

Exit status:
  0 the probe passes and the platform's packages can be had   1 the base image must change
  2 usage   69 no engine   70 a fault of Drydock   75 the files do not say, or the registry failed")]
pub(crate) struct Args {
    /// An image's name, or a path that begins with `/` or `.`
    reference: String,
    /// Print one object, by the schema of `drydock schema inspect`
    #[arg(long)]
    json: bool,
    /// How much is read
    #[arg(long, value_enum, default_value_t = Read::All)]
    read: Read,
    #[command(flatten)]
    host: engine::HostArgs,
}

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Read {
    /// Every layer to its end, every digest checked
    All,
    /// As many layers from the top as the verdict needs
    Verdict,
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let Args { reference, json, read, host } = args;
    let options = Options {
        depth: match read {
            Read::All => image::Depth::Whole,
            Read::Verdict => image::Depth::Verdict,
        },
        places: Places::Anywhere,
        engine: image::Engine::ToFind(host.lower()),
        ..Options::default()
    };
    let inspected = engine::block_on(image::inspect(&reference, &options))?;
    let status = match &inspected {
        Ok(inspection) => status(inspection),
        Err(failure) => failed(failure),
    };
    match (inspected, json) {
        (Ok(inspection), false) => report::print(&reference, &inspection)?,
        (Ok(inspection), true) => report::json(&reference, inspection)?,
        (Err(failure), false) => return Err(report::fault(&failure, status)),
        (Err(failure), true) => report::json_failure(&reference, failure)?,
    }
    Ok(status)
}

/// What the verdict means for a build on this base.
pub(crate) fn status(inspection: &Inspection) -> Status {
    match &inspection.verdict.answer {
        Answer::Accepted if inspection.forecast.bootstrap == CheckResult::Fail => Status::Failed,
        Answer::Accepted => Status::Passed,
        answer if answer.is_certain_refusal() => Status::Failed,
        Answer::Refused { .. } | Answer::Silent { .. } => Status::Failed,
        Answer::Unreadable { .. } => Status::Inconclusive,
    }
}

/// What a failed reading means.
fn failed(failure: &ReadFailure) -> Status {
    match (failure.code, failure.code.owner(), failure.code.retry()) {
        (ReadCode::InvalidReference, _, _) => Status::Invalid,
        (ReadCode::EngineUnreachable, _, _) => Status::NoEngine,
        (_, ReadOwner::Infrastructure, _) | (_, _, ReadRetry::Later) => Status::Inconclusive,
        (_, ReadOwner::Author | ReadOwner::BaseImage, ReadRetry::Never) => Status::Failed,
    }
}

/// A level in words.
pub(crate) const fn level(level: Level) -> &'static str {
    match level {
        Level::Predicted => "predicted from metadata",
        Level::Read => "read from its files, nothing was run",
        Level::Executed => "executed",
    }
}
