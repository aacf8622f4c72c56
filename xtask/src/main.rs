//! The house's own chores: `cargo xtask demo`, `test`, `bench`, and the test engine that they use.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to whoever runs it")]

mod bases;
mod bench;
mod cancel;
mod command;
mod demo;
mod engine;
mod house;
mod http;
mod newer;
mod packages;
mod paths;
mod process;
mod readers;
mod registry;
mod repository;
mod root;
mod sshd;
mod test;

use std::process::ExitCode;

use anyhow::Result;

use crate::house::House;
use crate::newer::Newer;

const USAGE: &str = "\
usage: cargo xtask <verb>

  demo          set everything up and show the main job on two fixtures
  bench [WHICH] measure Drydock beside its peers: `plan`, `check`, `matrix`, `inspect`, or all of them
  test [ARGS]   set everything up and run every test, the live ones included
  up            start the test engines and the registry with the test bases, and leave them running
  env           print the variables that live tests read, as shell exports (after `up`)
  down          stop what `up` started, and remove it
";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let verb = arguments.first().map(|verb| verb.to_string_lossy());
    let more = arguments.get(1..).unwrap_or_default();
    let done = match verb.as_deref() {
        Some("demo") => demo::demo(),
        Some("bench") => bench::bench(more.first().and_then(|which| which.to_str())),
        Some("test") => test::test(more),
        Some("up") => up(),
        Some("env") => env(),
        Some("down") => house::down(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    cancel::leave_it_to_the_handler();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn up() -> Result<()> {
    let house = House::enter()?.with_fixtures()?.keep()?;
    let root = root::Root::find()?;
    readers::install(root)?;
    sshd::install(root)?;
    let newer = Newer::enter(root)?;
    print!("{}{}", exports(&house.variables()), exports(&newer.variables()));
    Ok(())
}

fn env() -> Result<()> {
    let house = House::kept()?.ok_or_else(|| {
        anyhow::anyhow!("no test engine is running: start it with `cargo xtask up`")
    })?;
    let newer = Newer::kept().map(|newer| newer.variables()).unwrap_or_default();
    print!("{}{}", exports(&house.variables()), exports(&newer));
    Ok(())
}

/// Variables as lines for a shell.
fn exports(variables: &[(&str, String)]) -> String {
    let quoted = |value: &str| value.replace('\'', "'\\''");
    variables.iter().map(|(name, value)| format!("export {name}='{}'\n", quoted(value))).collect()
}
