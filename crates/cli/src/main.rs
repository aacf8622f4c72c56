//! The `drydock` binary: flags in, words and an exit status out.
//!
//! Start here to see what the program does: a command in `commands/` asks the crates below for a
//! value, `report/` puts it into words. Only this crate prints, and only this file exits.

mod args;
mod commands;
mod config;
mod definitions;
mod exit;
mod fault;
mod interrupt;
mod judge;
mod kept;
mod matrix;
mod recording;
mod report;
mod repository;
mod sources;
mod target;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use report::style;

fn main() -> ExitCode {
    let Args { color, directory, command } = Args::parse();
    style::choose(color);
    if let Some(directory) = directory
        && let Err(error) = std::env::set_current_dir(&directory)
    {
        let fault = fault::Fault::usage(format!("{}: {error}", directory.display()))
            .hint("give `-C` a folder that exists");
        return report::fault(&fault).into();
    }
    let result = match command {
        Command::Plan(args) => commands::plan::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Inspect(args) => commands::inspect::run(args),
        Command::Triage(args) => commands::triage::run(args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Clean(args) => commands::clean::run(args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Matrix(args) => commands::matrix::run(args),
        Command::Bake(args) => commands::bake::run(args),
        Command::Ci(args) => commands::ci::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
    };
    match result {
        Ok(status) => status.into(),
        Err(fault) => report::fault(&fault).into(),
    }
}

/// Leaves at once, for a second Ctrl-C: nothing may stand between the user and the way out.
#[expect(clippy::exit, reason = "the one place that exits; the user asked twice")]
fn exit_now(status: exit::Status) -> ! {
    std::process::exit(i32::from(status.number()))
}
