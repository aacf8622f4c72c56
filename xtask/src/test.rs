//! `cargo xtask test`: every test of the workspace, the live ones included.

use std::ffi::OsString;

use anyhow::Result;

use crate::command::{command, run};
use crate::house::House;
use crate::paths;
use crate::readers;
use crate::root::Root;

/// Sets everything up and runs the tests; `more` goes to `cargo test`.
pub(crate) fn test(more: &[OsString]) -> Result<()> {
    let house = House::enter()?;
    readers::install(Root::find()?)?;
    let mut cargo = command("cargo", ["test", "--workspace", "--no-fail-fast"]);
    cargo.args(more).current_dir(paths::workspace());
    // A live test that would be skipped fails instead.
    cargo.env("DRYDOCK_LIVE", "required").envs(house.variables());
    run(&mut cargo)
}
