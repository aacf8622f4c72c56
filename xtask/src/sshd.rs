//! An ssh server for the tests, which start it themselves: only the program is wanted, and no service.

use anyhow::{Context, Result};

use crate::command::{find_program, quiet};
use crate::packages;
use crate::root::Root;

/// Programs, and the packages that bring them.
const PROGRAMS: [(&str, &str); 2] = [("sshd", "openssh-server"), ("ssh", "openssh-client")];

/// Installs the server where it is missing.
pub(crate) fn install(root: Option<Root>) -> Result<()> {
    if let Some(root) = root {
        let was_there = find_program("sshd").is_some();
        packages::install(root, &PROGRAMS)?;
        if !was_there {
            // The machine of a developer must not become a server at its next start.
            quiet(&mut root.command("update-rc.d", ["ssh", "disable"]))?;
        }
        // The service would make it; started by root, the server insists on it.
        quiet(&mut root.command("mkdir", ["-p", "/run/sshd"]))?;
    }
    for (program, package) in PROGRAMS {
        find_program(program)
            .with_context(|| format!("there is no {program}: install {package}"))?;
    }
    Ok(())
}

/// The variable that live tests read.
pub(crate) fn variable() -> Option<(&'static str, String)> {
    // It is to be called by its whole path.
    Some(("DRYDOCK_TEST_SSHD", find_program("sshd")?.display().to_string()))
}
