//! The flags, as clap reads them. Each command lowers its own once, by destructuring.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::commands::{
    bake, check, ci, clean, completions, explain, inspect, matrix, plan, replay, schema, triage,
};

/// Learn whether a cloud agent's environment will work before you apply it.
///
/// Drydock reads the environment that your coding agents get, writes the Dockerfile that the platform would build,
/// builds and tries it on the Docker engine at hand, and says what failed, where in your file, whose fault it is
/// and whether trying again can help.
#[derive(Debug, Parser)]
#[command(name = "drydock", version, max_term_width = 100, after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Args {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_enum)]
    pub(crate) color: Color,

    /// Act as if started in this folder
    #[arg(short = 'C', long = "directory", global = true, value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  drydock check                                every environment of this repository, at HEAD
  drydock check repository-agent --smoke 'make test'
  drydock plan .auto/agents/repository-agent.yaml
  drydock explain contract-glibc-loader

Exit status:
  0 passed   1 failed: the author or the base image must act   2 usage or invalid definition
  69 no engine   70 a fault of Drydock   75 inconclusive, trying again may help   130 cancelled";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what would be built, and where each part comes from
    Plan(plan::Args),
    /// Build and try it on the Docker engine at hand
    Check(check::Args),
    /// Say from an image's files whether it can be a base; runs nothing
    Inspect(inspect::Args),
    /// Say from a build log what failed, whose fault it is and whether to retry
    Triage(triage::Args),
    /// Tell what a code means, who must act, and what to do
    Explain(explain::Args),
    /// Remove what a killed run left on the engine
    Clean(clean::Args),
    /// Print the JSON schema of what `--json` prints
    Schema(schema::Args),
    /// Try cases that must each end as expected, the bad ones for the stated reason
    Matrix(matrix::Args),
    /// Write what another builder needs to do the building: a bake file and its context
    Bake(bake::Args),
    /// Print a workflow that runs Drydock
    Ci(ci::Args),
    /// Make reports from a recording
    Replay(replay::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        super::Args::command().debug_assert();
    }
}
