//! Ends the processes of our engine and registry, and no others.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::command::{command, quiet};
use crate::root::Root;

/// Programs that an engine or a registry of ours can be.
const PROGRAMS: [&str; 4] = ["dockerd", "containerd", "containerd-shim", "docker-registry"];

/// Ends every engine process whose command line names `folder`. A pid file is not asked: after a kill it may name a
/// process of somebody else.
pub(crate) fn end_all_of(root: Option<Root>, folder: &Path) -> Result<()> {
    // dockerd goes first: told to stop, it ends its containers and its containerd in order.
    for (signal, patience) in [("TERM", 20), ("KILL", 5)] {
        let pids = of(folder);
        if pids.is_empty() {
            return Ok(());
        }
        for pid in pids {
            let kill = ["-c", &format!("kill -{signal} {pid}")];
            let mut kill =
                root.map_or_else(|| command("sh", kill), |root| root.command("sh", kill));
            // It may have ended in between.
            drop(quiet(&mut kill));
        }
        let end = Instant::now() + Duration::from_secs(patience);
        while Instant::now() < end && !of(folder).is_empty() {
            sleep(Duration::from_millis(50));
        }
    }
    match of(folder).as_slice() {
        [] => Ok(()),
        left => bail!("processes of the test engine cannot be ended: {left:?}"),
    }
}

fn of(folder: &Path) -> Vec<u32> {
    let folder = folder.display().to_string();
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    processes
        .filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| belongs(*pid, &folder))
        .collect()
}

fn belongs(pid: u32, folder: &str) -> bool {
    // A zombie has no command line, so it does not count as running.
    let Ok(line) = fs::read(format!("/proc/{pid}/cmdline")) else { return false };
    let line = String::from_utf8_lossy(&line);
    let program = line.split('\0').next().unwrap_or_default();
    let program = program.rsplit('/').next().unwrap_or_default();
    PROGRAMS.iter().any(|ours| program.starts_with(ours)) && line.contains(folder)
}
