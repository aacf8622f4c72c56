//! `drydock ci`: a workflow that runs Drydock, as far as it can be written without knowing more.

use clap::ValueEnum;

use crate::config::{self, File};
use crate::exit::Status;
use crate::fault::Fault;
use crate::report;
use crate::repository::Repository;

/// Prints a workflow that runs Drydock: the matrix of `drydock.toml` where there is one, else a check of
/// every environment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock ci github > .github/workflows/environments.yml
  drydock ci gitlab > .gitlab/environments.yml       then `include:` it")]
pub(crate) struct Args {
    /// Whose workflow
    kind: Kind,
}

/// Who runs workflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// GitHub Actions
    Github,
    /// GitLab CI
    Gitlab,
}

pub(crate) fn run(args: &Args) -> Result<Status, Fault> {
    let text = match (args.kind, has_cases()?) {
        (Kind::Github, true) => include_str!("ci/github-matrix.yml"),
        (Kind::Github, false) => include_str!("ci/github-check.yml"),
        (Kind::Gitlab, true) => include_str!("ci/gitlab-matrix.yml"),
        (Kind::Gitlab, false) => include_str!("ci/gitlab-check.yml"),
    };
    report::data(text.replace(DEFINITIONS, &places()).as_bytes())?;
    Ok(Status::Passed)
}

/// Stands in the texts for the places where definitions are found.
const DEFINITIONS: &str = "DEFINITIONS";

fn places() -> String {
    let quoted: Vec<String> =
        environment::path_patterns().iter().map(|pattern| format!("\"{pattern}\"")).collect();
    quoted.join(", ")
}

/// Whether the repository at hand has a matrix.
fn has_cases() -> Result<bool, Fault> {
    let here = std::env::current_dir().map_err(|error| Fault::usage(error.to_string()))?;
    let repository = Repository::find(&here).map_err(|error| Fault::usage(error.to_string()))?;
    let path = repository.root().join(config::FILE);
    Ok(path.exists() && !File::read(&path)?.config.matrix.case.is_empty())
}
