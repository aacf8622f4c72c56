//! Debian's packages: finds what is missing and installs it, with at most one `apt-get update`.

use anyhow::{Result, bail};

use crate::command::{capture, command, find_program, run};
use crate::root::Root;

/// Programs that the test engine and its bases need, and the packages that bring them.
const PROGRAMS: [(&str, &str); 6] = [
    ("dockerd", "docker.io"),
    ("iptables", "iptables"),
    ("ip", "iproute2"),
    ("docker-registry", "docker-registry"),
    ("debootstrap", "debootstrap"),
    ("xz", "xz-utils"),
];

/// Installs what is missing.
pub(crate) fn install_missing(root: Root) -> Result<()> {
    install(root, &PROGRAMS)?;
    // From Debian 13 on the client is a package of its own; before, it came with `docker.io`.
    install(root, &[("docker", "docker-cli")])?;
    for (program, package) in PROGRAMS {
        if find_program(program).is_none() {
            bail!("{package} is installed, but there is no {program}");
        }
    }
    Ok(())
}

/// Makes sure that apt's lists know `package`.
pub(crate) fn update_lists_for(root: Root, package: &str) -> Result<()> {
    let known = capture(&mut command("apt-cache", ["policy", package]))?;
    if known.lines().any(|line| line.contains("Candidate:") && !line.contains("(none)")) {
        return Ok(());
    }
    eprintln!("xtask: updating apt's lists");
    run(&mut root.command("apt-get", ["update", "-qq"]))
}

/// Installs the packages of those programs that are missing.
pub(crate) fn install(root: Root, programs: &[(&str, &str)]) -> Result<()> {
    let missing: Vec<&str> = programs
        .iter()
        .filter(|(program, _)| find_program(program).is_none())
        .map(|(_, package)| *package)
        .collect();
    let Some(first) = missing.first() else { return Ok(()) };
    install_all(root, first, &missing)
}

/// Installs one package, which no program of its own gives away.
pub(crate) fn install_package(root: Root, package: &str) -> Result<()> {
    install_all(root, package, &[package])
}

fn install_all(root: Root, first: &str, missing: &[&str]) -> Result<()> {
    if find_program("apt-get").is_none() {
        bail!("missing: {}; there is no apt-get to install them with", missing.join(", "));
    }
    update_lists_for(root, first)?;
    eprintln!("xtask: installing {}", missing.join(", "));
    // The packages' own services stay off: a second engine at the default socket is not wanted, and a machine
    // without an init could not start one.
    let flags = ["DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "install", "-qq", "-y"];
    let mut install = root.command("env", flags);
    install.arg("--no-install-recommends").args(missing).stdout(std::process::Stdio::null());
    run(&mut install)
}
