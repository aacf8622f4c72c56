//! `drydock bake`: the same builds for a builder elsewhere, as a bake file with its context.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use environment::{ImageRef, Source};
use planner::{ContextRoot, Plan};
use runner::ContextRequest;
use serde::Serialize;

use crate::commands::check::dirty;
use crate::commands::engine;
use crate::config::Config;
use crate::definitions::{Definitions, Format};
use crate::exit::Status;
use crate::fault::Fault;
use crate::report::{findings, note};
use crate::repository::Repository;
use crate::sources::CommitSource;
use crate::target;

/// The build argument that another base comes in by.
const BASE_ARGUMENT: &str = "AUTO_ENVIRONMENT_BASE";

/// Writes a bake file with one target for each distinct plan, so that BuildKit on Kubernetes or a build
/// cloud does the building.
///
/// The Dockerfiles are the ones that `drydock check` builds, the probe unchanged; the context holds the
/// commit's files as a clone has them. `drydock triage` reads what `docker buildx bake` prints.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock bake --out baked && cd baked
  docker buildx bake agent-runtime --progress rawjson 2> bake.log;  drydock triage bake.log
  drydock bake --out baked --base debian:bookworm --base alpine:3.23     each plan on both

The first target that fails ends the others of the same `docker buildx bake`: to learn about each, bake one at a time.")]
pub(crate) struct Args {
    /// An agent's file, an agent's or an environment's name; everything when left out
    target: Option<String>,
    /// The folder to write; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The commit whose definitions and files are built
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    rev: String,
    /// Another base image; may be given again, for a target each
    #[arg(long = "base", value_name = "REF")]
    bases: Vec<String>,
}

/// The bake file.
#[derive(Debug, Serialize)]
struct File {
    group: BTreeMap<&'static str, Group>,
    target: BTreeMap<String, Target>,
}

#[derive(Debug, Serialize)]
struct Group {
    targets: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Target {
    context: &'static str,
    dockerfile: String,
    platforms: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    args: BTreeMap<&'static str, String>,
    labels: BTreeMap<&'static str, String>,
    /// What was built stays in the builder's cache; nothing is pushed or loaded unless asked for.
    output: Vec<&'static str>,
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let Args { target, out, rev, bases } = args;
    let bases: Vec<String> = bases.iter().map(|base| checked(base)).collect::<Result<_, _>>()?;
    let here = std::env::current_dir().map_err(|error| Fault::usage(error.to_string()))?;
    let repository = Repository::find(&here).map_err(|error| Fault::usage(error.to_string()))?;
    let commit = repository.commit(&rev)?;
    let target = target::parse(&repository, target.as_deref())?;
    let source: Box<dyn Source> = Box::new(
        CommitSource::open(&repository, &commit)
            .map_err(|error| Fault::usage(error.to_string()))?,
    );
    let config = Config::read(source.as_ref())?;
    let options = Format::default().options(&config, repository.slug());
    let definitions = Definitions::read(source.as_ref(), &target, &options);
    if rev == "HEAD" {
        dirty::refuse(&repository, &target, &definitions, &options)?;
    }
    findings::print(&definitions.findings);
    if findings::has_error(&definitions.findings) {
        return Ok(Status::Invalid);
    }
    let plans: Vec<&Plan> = definitions.plans.iter().map(|shared| &shared.plan).collect();
    empty_folder(&out)?;
    let context = out.join("context");
    write(&context, |path| fs::create_dir(path))?;
    let file = file(&plans, &bases, &commit);
    for (plan, name) in plans.iter().zip(names(&plans)) {
        let text = planner::render(plan, ContextRoot::Nested);
        write(&context.join(dockerfile(&name)), |path| fs::write(path, text))?;
    }
    if plans.iter().any(|plan| plan.checkout.is_some()) {
        let request = ContextRequest { repository: repository.root().to_owned(), commit };
        engine::block_on(runner::unpack(&request, &context))?
            .map_err(|error| Fault::context(&error))?;
    }
    let json =
        serde_json::to_string_pretty(&file).map_err(|error| Fault::ours(error.to_string()))?;
    write(&out.join("docker-bake.json"), |path| fs::write(path, json + "\n"))?;
    note(&format!(
        "{} in {}; next: cd {} && docker buildx bake\n",
        crate::report::text::count(file.target.len(), "target"),
        out.display(),
        out.display()
    ));
    Ok(Status::Passed)
}

/// Every plan on every base; on its own base where none is given.
fn file(plans: &[&Plan], bases: &[String], commit: &str) -> File {
    let mut targets = BTreeMap::new();
    let mut order = Vec::new();
    for (plan, name) in plans.iter().zip(names(plans)) {
        let dockerfile = dockerfile(&name);
        let own = [plan.base.reference.clone()];
        for base in if bases.is_empty() { &own[..] } else { bases } {
            let target_name =
                if bases.len() > 1 { format!("{name}_{}", word(base)) } else { name.clone() };
            let args = if bases.is_empty() {
                BTreeMap::new()
            } else {
                BTreeMap::from([(BASE_ARGUMENT, base.clone())])
            };
            let labels = BTreeMap::from([
                ("dev.drydock.commit", commit.to_owned()),
                ("dev.drydock.environment", plan.environment.clone()),
                ("dev.drydock.plan", plan.digest.clone()),
            ]);
            order.push(target_name.clone());
            let target = Target {
                context: "context",
                dockerfile: dockerfile.clone(),
                platforms: vec![plan.platform.clone()],
                args,
                labels,
                output: vec!["type=cacheonly"],
            };
            targets.insert(target_name, target);
        }
    }
    File { group: BTreeMap::from([("default", Group { targets: order })]), target: targets }
}

/// A name for each plan that bake takes: the environment's, with its digest where two are the same.
fn names(plans: &[&Plan]) -> Vec<String> {
    let twice =
        |name: &str| plans.iter().filter(|plan| word(&plan.environment) == name).count() > 1;
    plans
        .iter()
        .map(|plan| {
            let name = word(&plan.environment);
            let digest: String = plan.digest.chars().take(8).collect();
            if name.is_empty() || twice(&name) { format!("{name}_{digest}") } else { name }
        })
        .collect()
}

fn dockerfile(name: &str) -> String {
    format!("{name}.dockerfile")
}

/// Bake's names hold letters, digits, `_` and `-`.
fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    text.chars().map(plain).collect()
}

fn checked(base: &str) -> Result<String, Fault> {
    base.trim().parse::<ImageRef>().map(|reference| reference.to_string()).map_err(|error| {
        Fault::usage(format!("--base {base:?}: {error}"))
            .hint("give one image reference, such as `debian:bookworm`")
    })
}

/// Makes the folder. What already lies there is somebody's.
fn empty_folder(out: &Path) -> Result<(), Fault> {
    write(out, |path| fs::create_dir_all(path))?;
    let mut inside = out.read_dir().map_err(|error| Fault::usage(error.to_string()))?;
    match inside.next() {
        None => Ok(()),
        Some(_) => Err(Fault::usage(format!("{} is not empty", out.display()))
            .hint("give `--out` a folder that does not exist")),
    }
}

fn write(path: &Path, how: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), Fault> {
    how(path).map_err(|error| {
        Fault::usage(format!("{}: {error}", path.display()))
            .hint("give `--out` a folder that can be written")
    })
}
