//! `cargo xtask test`: every test of the workspace, the live ones included.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use crate::command::{command, run};
use crate::house::House;
use crate::newer::Newer;
use crate::paths;
use crate::readers;
use crate::root::Root;
use crate::sshd;

/// Sets everything up and runs the tests; `more` goes to `cargo test`.
pub(crate) fn test(more: &[OsString]) -> Result<()> {
    let house = House::enter()?.with_fixtures()?;
    let root = Root::find()?;
    readers::install(root)?;
    sshd::install(root)?;
    let newer = Newer::enter(root)?;
    let variables = || house.variables().into_iter().chain(newer.variables());
    run(tests(["--workspace"]).args(more).envs(variables()))?;
    match &newer {
        // What the fixtures come to there, by the builder that it prefers.
        Newer::Answers(engine) if more.is_empty() => {
            let there = ("DRYDOCK_TEST_ENGINE", engine.host());
            let live = ["--package", "drydock", "--test", "live", "buildkit"];
            run(tests(live).envs(variables().chain([there])))
        }
        Newer::Answers(_) => Ok(()),
        Newer::CannotBeHad(reason) => {
            eprintln!("xtask: NOT TESTED on a newer engine, nor with `docker buildx`: {reason}");
            Ok(())
        }
    }
}

fn tests<const N: usize>(which: [&str; N]) -> Command {
    let mut cargo = command("cargo", ["test", "--no-fail-fast"]);
    cargo.args(which).current_dir(paths::workspace());
    // A live test that would be skipped fails instead.
    cargo.env("DRYDOCK_LIVE", "required");
    cargo
}
