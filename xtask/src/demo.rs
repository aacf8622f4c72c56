//! `cargo xtask demo`: the main job on two fixtures, one that passes and one that the contract refuses.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::{command, run};
use crate::house::House;
use crate::{paths, repository};

/// Shows both, and fails unless both end as they must.
pub(crate) fn demo() -> Result<()> {
    run(command("cargo", ["build", "--quiet", "--package", "drydock"])
        .current_dir(paths::workspace()))?;
    let house = House::enter()?;
    let folder = paths::cache().join("demo");
    let show = |fixture: &str, base: &str| -> Result<i32> {
        let repository = folder.join(fixture);
        repository::of_fixture(&paths::workspace().join("fixtures").join(fixture), &repository)?;
        println!("\n── fixtures/{fixture}\n$ drydock check --base {base}");
        let status = check(&house, &repository, base).status().context("drydock does not start")?;
        status.code().context("drydock was killed")
    };

    let good = show("known-good", house.debian())?;
    ensure!(good == 0, "the known-good fixture must pass, and ended with exit status {good}");
    let bad = show("alpine", house.musl())?;
    ensure!(bad == 1, "the musl fixture must fail, and ended with exit status {bad}");
    let said = check(&house, &folder.join("alpine"), house.musl()).arg("--json").output()?;
    let said = String::from_utf8_lossy(&said.stdout);
    let last = said.lines().last().unwrap_or_default();
    for part in [r#""code":"contract-glibc-loader""#, "check=glibc-loader"] {
        ensure!(
            last.contains(part),
            "the musl fixture was not classified: {part} is missing in {last}"
        );
    }
    println!("\nBoth ended as they must: one passed, one failed with check=glibc-loader.");
    if !house.is_kept() {
        println!(
            "The engine and the bases are stopped and removed again; `cargo xtask up` leaves them running."
        );
    }
    Ok(())
}

fn check(house: &House, repository: &Path, base: &str) -> Command {
    let mut check =
        command(&paths::target().join("debug/drydock").display().to_string(), ["check"]);
    check.args(["--host", &house.host(), "--base", base]).current_dir(repository);
    check
}
