//! `drydock matrix --list`: the cases, for people and for job matrices.

use clap::ValueEnum;
use serde_json::json;

use crate::exit::Status;
use crate::fault::Fault;
use crate::matrix::Case;
use crate::report::{self, text};

/// The most jobs that GitHub takes from one matrix.
const MOST_JOBS: usize = 256;

/// How the cases are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A line each
    Human,
    /// One JSON list
    Json,
    /// One line of JSON for `strategy.matrix` of a GitHub workflow
    Github,
}

pub(super) fn print(cases: &[Case], format: Format) -> Result<Status, Fault> {
    let abouts = cases.iter().map(Case::about);
    match format {
        Format::Human => {
            let lines: String = abouts
                .map(|about| format!("{:<60}  {}\n", text::plain(&about.name), about.expect))
                .collect();
            report::data(lines.as_bytes())?;
        }
        Format::Json => {
            let rows: Vec<_> = abouts
                .map(|about| {
                    json!({
                        "name": about.name,
                        "environment": about.environment,
                        "base": about.base,
                        "builder": about.builder,
                        "folder": about.folder,
                        "expect": about.expect,
                    })
                })
                .collect();
            report::json_pretty(&rows)?;
        }
        Format::Github => {
            if cases.len() > MOST_JOBS {
                return Err(Fault::usage(format!(
                    "{} cases are more than the {MOST_JOBS} jobs that a matrix may have",
                    cases.len()
                ))
                .hint("select some with `--filter`, or run a few jobs with `--shard i/n`"));
            }
            let rows: Vec<_> = abouts.map(|about| json!({ "case": about.name })).collect();
            report::data(format!("{}\n", json!({ "include": rows })).as_bytes())?;
        }
    }
    Ok(Status::Passed)
}
