//! `drydock completions SHELL`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::exit::Status;
use crate::fault::Fault;

/// Prints a completion script.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock completions bash > /etc/bash_completion.d/drydock
  drydock completions zsh > ~/.zfunc/_drydock
  drydock completions fish > ~/.config/fish/completions/drydock.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Status, Fault> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::args::Args::command(), "drydock", &mut script);
    crate::report::data(&script)?;
    Ok(Status::Passed)
}
