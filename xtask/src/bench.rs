//! `cargo xtask bench`: Drydock beside its peers and beside the hand recipe, in one run, as ratios.

mod cases;
mod checkouts;
mod definitions;
mod images;
mod logs;
mod peers;
mod recipe;
mod relay;
mod report;
mod timer;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::bench::report::Report;
use crate::bench::timer::{Contestant, race};
use crate::command::{command, run};
use crate::house::House;
use crate::paths;

/// Measures what `which` names, or everything; an error when a limit is exceeded.
pub(crate) fn bench(which: Option<&str>) -> Result<()> {
    let build = ["build", "--quiet", "--release", "--package", "drydock"];
    run(command("cargo", build).current_dir(paths::workspace()))?;
    let mut report = Report::default();
    match which {
        None => {
            plans(&mut report)?;
            checks(&mut report)?;
            matrix(&mut report)?;
            images::images(&mut report)?;
            logs::logs(&mut report)?;
        }
        Some("plan") => plans(&mut report)?,
        Some("check") => checks(&mut report)?,
        Some("matrix") => matrix(&mut report)?,
        Some("inspect") => images::images(&mut report)?,
        Some("triage") => logs::logs(&mut report)?,
        Some(other) => {
            bail!(
                "there is no benchmark {other:?}; there are `plan`, `check`, `matrix`, `inspect` and `triage`"
            )
        }
    }
    report.finish()
}

fn plans(report: &mut Report) -> Result<()> {
    let two = folder("two-fragments")?;
    definitions::two_fragments(&two)?;
    let mut contestants = vec![Contestant::new("drydock plan, two fragments", plan(&two))];
    contestants.extend(peers::nixpacks()?);
    contestants.extend(peers::ansible_builder()?);
    let times = race(40, &mut contestants)?;
    report.absolute(&times[0], 5.0);
    for peer in times.iter().skip(1) {
        report.ratio(&times[0], peer, if peer.name.starts_with("ansible") { 0.05 } else { 1.0 });
    }

    let thousand = folder("thousand-agents")?;
    definitions::thousand_agents(&thousand)?;
    let mut contestants =
        vec![Contestant::new("drydock plan, 1,000 agents, 20 fragments", plan(&thousand))];
    report.absolute(&race(20, &mut contestants)?[0], 200.0);
    Ok(())
}

fn checks(report: &mut Report) -> Result<()> {
    let house = House::enter()?;
    let small = folder("small")?;
    checkouts::small(&small)?;
    compare(report, &house, "small checkout", &small, 10, 1.0)?;
    let large = folder("large")?;
    checkouts::large(&large)?;
    compare(report, &house, "20,000 files, 300 MB", &large, 5, 0.6)
}

/// One matrix beside as many checks, both with everything cached.
fn matrix(report: &mut Report) -> Result<()> {
    let house = House::enter()?;
    let folder = folder("cases")?;
    cases::write(&folder, house.debian())?;
    let mut contestants = vec![
        cases::matrix(&house, &drydock(), &folder),
        cases::checks(&house, &drydock(), &folder, house.debian()),
    ];
    let times = race(3, &mut contestants)?;
    report.ratio(&times[0], &times[1], 0.5);
    Ok(())
}

/// `drydock check` beside the hand recipe, both with everything cached and one smoke command.
fn compare(
    report: &mut Report,
    house: &House,
    what: &str,
    repository: &Path,
    rounds: usize,
    limit: f64,
) -> Result<()> {
    let mut check = command(&drydock(), ["check", "--smoke", recipe::SMOKE]);
    check.args(["--host", &house.host(), "--base", house.debian()]).current_dir(repository);
    let mut contestants = vec![Contestant::new(format!("drydock check, warm, {what}"), check)];
    contestants.push(recipe::contestant(house, repository, what)?);
    let times = race(rounds, &mut contestants)?;
    report.ratio(&times[0], &times[1], limit);
    Ok(())
}

fn plan(repository: &Path) -> Command {
    let mut plan = command(&drydock(), ["plan"]);
    plan.current_dir(repository);
    plan
}

fn drydock() -> String {
    paths::target().join("release/drydock").display().to_string()
}

/// A folder for one benchmark's files.
fn folder(name: &str) -> Result<PathBuf> {
    let folder = paths::cache().join("bench").join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
