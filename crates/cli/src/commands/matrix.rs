//! `drydock matrix`: cases that must each end as expected, the bad ones for the stated reason.

mod list;

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use runner::{BuilderChoice, Engine, EngineOptions};
use tokio_util::sync::CancellationToken;

use crate::commands::check::Pull;
use crate::commands::engine;
use crate::config::{self, File};
use crate::exit::Status;
use crate::fault::Fault;
use crate::interrupt;
use crate::matrix::{self, Case, Options, Reading, Selection, Tries};
use crate::recording::{Recorder, Start, broken};
use crate::report::{self, files};
use crate::repository::Repository;

/// Tries cases that must each end as expected: known-good ones pass, known-bad ones fail for the stated reason.
///
/// What would be the same run is run once, and each base is asked for once.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock matrix                                       the cases of `drydock.toml`
  drydock matrix --filter musl --report html=matrix.html
  drydock matrix --shard 2/3 --report junit=junit.xml --record run.jsonl
  drydock matrix --list --format github                a job matrix, one job for each case

`drydock.toml`:
  [matrix.bases]
  bookworm = \"debian:bookworm\"
  alpine = \"alpine:3.23\"

  [[matrix.case]]
  environment = \"repository-agent\"
  base = [\"bookworm\", \"debian:trixie\"]
  smoke = [\"make test\"]

  [[matrix.case]]
  base = \"alpine\"
  expect = \"contract-glibc-loader\"        # or { phase = \"setup\", owner = \"author\" }, { check = \"glibc\" }

Exit status:
  0 all as expected   1 a case is not   2 usage or a file that cannot be read   69 no engine
  70 a fault of Drydock   75 infrastructure, and nothing else is wrong   130 cancelled")]
pub(crate) struct Args {
    /// The file with the cases; else `drydock.toml` at the repository's root
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The commit whose definitions and files are tried
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    rev: String,
    /// Read definitions from the working tree, committed or not
    #[arg(long)]
    allow_dirty: bool,
    /// Another reference for a base of the file; may be given again
    #[arg(long = "base", value_name = "NAME=REF", value_parser = named_base)]
    bases: Vec<(String, String)>,
    /// When to pull a base image
    #[arg(long, value_enum, default_value_t = Pull::Missing)]
    pull: Pull,
    /// Only cases that hold all of these words; may be given again for more cases
    #[arg(long = "filter", value_name = "WORDS", help_heading = "Selection")]
    filters: Vec<String>,
    /// Only the case of this very name; may be given again
    #[arg(long = "case", value_name = "NAME", help_heading = "Selection")]
    names: Vec<String>,
    /// Only one of several parts; cases that are built alike stay together
    #[arg(long, value_name = "I/N", help_heading = "Selection")]
    shard: Option<matrix::Shard>,
    /// Print the cases, and try none
    #[arg(long, help_heading = "Selection")]
    list: bool,
    /// How `--list` prints them
    #[arg(long, value_enum, default_value_t = list::Format::Human, requires = "list", help_heading = "Selection")]
    format: list::Format,
    /// How many runs at the same time; else one for each two processors, at least 2
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// How often a case is tried again when infrastructure failed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10))]
    retries: Option<u32>,
    /// Stop everything at the first case that is not as expected
    #[arg(long)]
    fail_fast: bool,
    #[command(flatten)]
    reports: files::Reports,
    #[command(flatten)]
    engine: engine::EngineArgs,
}

/// How often a case is tried again, unless flag or file say otherwise.
const RETRIES: u32 = 2;

fn named_base(text: &str) -> Result<(String, String), String> {
    let (name, reference) = text.split_once('=').ok_or("write NAME=REF")?;
    Ok((name.to_owned(), reference.to_owned()))
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let Args { file, rev, allow_dirty, bases, pull, filters, names, shard, list, format, .. } =
        args;
    let (file, home) = opened(file.as_deref())?;
    let engine = args.engine.lower();
    let bases: BTreeMap<String, String> = bases.into_iter().collect();
    if let Some(unknown) = bases.keys().find(|name| !file.config.matrix.bases.contains_key(*name)) {
        return Err(Fault::usage(format!("--base {unknown}: the file has no base of that name"))
            .hint("name one of `[matrix.bases]`"));
    }
    let reading = Reading { rev, allow_dirty };
    let options = Options { reading, bases, builder: engine.builder };
    let selection = Selection { filters, names, shard };
    let tries = Tries {
        jobs: args.jobs.map_or_else(jobs, usize::from),
        retries: args.retries.or(file.config.matrix.retries).unwrap_or(RETRIES).min(10),
        fail_fast: args.fail_fast,
        pull: pull.lower(),
    };
    engine::block_on(async {
        let all = matrix::expand(&file, &home, &options).await?;
        let cases = selection.take(all)?;
        if list {
            return list::print(&cases, format);
        }
        tried(&cases, &engine, &tries, &args.reports, allow_dirty).await
    })?
}

/// The file and the folder that its repositories are relative to.
fn opened(file: Option<&Path>) -> Result<(File, PathBuf), Fault> {
    if let Some(path) = file {
        let home = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        return Ok((File::read(path)?, home.unwrap_or(Path::new(".")).to_owned()));
    }
    let here = std::env::current_dir().map_err(|error| Fault::usage(error.to_string()))?;
    let repository = Repository::find(&here).map_err(|error| Fault::usage(error.to_string()))?;
    let home = repository.root().to_owned();
    Ok((File::read(&home.join(config::FILE))?, home))
}

/// Tries the cases, tells them, and writes what was asked for.
async fn tried(
    cases: &[Case],
    engine: &EngineOptions,
    tries: &Tries,
    reports: &files::Reports,
    dirty: bool,
) -> Result<Status, Fault> {
    let start = Start { command: "matrix".to_owned(), dirty, ..matrix::start(cases) };
    let mut recorder = reports.recorder(start)?;
    matrix::announce(&mut recorder, cases).map_err(|error| broken(&error))?;
    let engines = match engines(cases, engine).await {
        Ok(engines) => engines,
        Err(fault) => {
            // What was announced is in the reports all the same, as not run.
            reports.write(&recorder.finish(fault.status)?)?;
            return Err(fault);
        }
    };
    let recorder = RefCell::new(recorder);
    let cancel = CancellationToken::new();
    let listener = tokio::spawn(interrupt::listen(cancel.clone()));
    let result = matrix::run(cases, &engines, tries, &recorder, &cancel).await;
    listener.abort();
    result?;
    let recorder: Recorder = recorder.into_inner();
    let mut status = recorder.recorded().status();
    if cancel.is_cancelled() && !tries.fail_fast {
        status = status.worse(Status::Cancelled);
    }
    let recorded = recorder.finish(status)?;
    report::note(&format!("\n{}\n", report::headline(&recorded)));
    reports.write(&recorded)?;
    Ok(status)
}

/// One engine for each builder that a case asks for.
async fn engines(
    cases: &[Case],
    options: &EngineOptions,
) -> Result<HashMap<BuilderChoice, Engine>, Fault> {
    let mut engines = HashMap::new();
    for case in cases {
        if let Entry::Vacant(place) = engines.entry(case.builder) {
            let options = EngineOptions { builder: case.builder, ..options.clone() };
            let engine = runner::connect(&options)
                .await
                .map_err(|error| Fault::no_engine(error.to_string()).hint(engine::START_ONE))?;
            place.insert(engine);
        }
    }
    Ok(engines)
}

/// Runs mostly wait for the network and for each other's locks: half of the processors, at least two.
fn jobs() -> usize {
    std::thread::available_parallelism().map_or(2, |count| (count.get() / 2).max(2))
}
