//! A test engine: Debian's, on a socket, data folder and bridge of its own, beside whatever else runs here.

mod bridge;
mod place;

pub(crate) use place::Place;

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::command::{capture, command, quiet};
use crate::root::Root;
use crate::{http, paths, process};

/// An engine that answers.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    socket: PathBuf,
}

impl Engine {
    /// Starts an engine of our own, with nothing in it.
    pub(crate) fn start(root: Root, place: Place) -> Result<Self> {
        stop(root, place)?;
        let engine = Self { socket: place.socket() };
        quiet(root.command("mkdir", ["-p"]).arg(place.runtime()))?;
        let mtu = bridge::create(root, &place.bridge())?;
        let mut process = spawn(root, place, mtu)?;
        wait(&engine.socket, &mut process).with_context(|| {
            format!("the test engine did not start; its log ends with\n{}", tail(&place.log()))
        })?;
        Ok(engine)
    }

    /// The engine of our own that `up` left running, if it still answers.
    pub(crate) fn running(place: Place) -> Option<Self> {
        let engine = Self { socket: place.socket() };
        engine.answers().then_some(engine)
    }

    /// The engine that a user already runs at the default socket.
    pub(crate) fn of_the_user() -> Option<Self> {
        let engine = Self { socket: PathBuf::from("/var/run/docker.sock") };
        engine.answers().then_some(engine)
    }

    /// Its socket.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// Its address, as `DOCKER_HOST` takes it.
    pub(crate) fn host(&self) -> String {
        format!("unix://{}", self.socket.display())
    }

    /// A `docker` command for this engine, whatever the user's own context is.
    pub(crate) fn docker<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut docker = command("docker", args);
        // The classic builder is in every client and engine; BuildKit is not in a client without its plug-in.
        docker.env("DOCKER_HOST", self.host()).env("DOCKER_BUILDKIT", "0");
        docker.env_remove("DOCKER_CONTEXT");
        docker
    }

    /// Whether a registry serves `reference` to this engine. A machine without one must not wait long for the no.
    pub(crate) fn can_pull(&self, reference: &str) -> bool {
        let path = format!("/distribution/{reference}/json");
        http::get_unix(&self.socket, &path, Duration::from_secs(8))
            .is_ok_and(|status| status == 200)
    }

    fn answers(&self) -> bool {
        http::get_unix(&self.socket, "/_ping", Duration::from_secs(5))
            .is_ok_and(|status| status == 200)
    }
}

/// Stops an engine of ours, and what a killed one left behind: its processes, folders, bridge and rules.
pub(crate) fn stop(root: Root, place: Place) -> Result<()> {
    process::end_all_of(Some(root), &place.runtime())?;
    bridge::remove(root, &place.bridge());
    for folder in [place.runtime(), place.data()] {
        if folder.exists() {
            unmount_below(root, &folder)?;
            quiet(root.command("rm", ["-rf"]).arg(&folder))?;
        }
    }
    Ok(())
}

/// A killed engine leaves its mounts, and one whose folder is on a shared mount binds that folder onto itself.
fn unmount_below(root: Root, folder: &Path) -> Result<()> {
    let mounts = std::fs::read_to_string("/proc/self/mounts").context("cannot read the mounts")?;
    let points = mounts.lines().rev().filter_map(|line| line.split(' ').nth(1));
    // Later mounts lie on earlier ones, so the last goes first.
    for point in points.filter(|point| Path::new(point).starts_with(folder)) {
        quiet(&mut root.command("umount", [point]))?;
    }
    Ok(())
}

fn spawn(root: Root, place: Place, mtu: u32) -> Result<Child> {
    let log = place.log();
    let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    let runtime = place.runtime();
    let in_runtime = |name: &str| runtime.join(name).display().to_string();
    // An own file, and an empty one: settings of the user's engine must not reach this one.
    let config = in_runtime("daemon.json");
    quiet(
        root.command("sh", ["-c", "echo '{}' > \"$0\"", &config])
            .env_clear()
            .env("PATH", "/usr/bin:/bin"),
    )?;
    // Its number: another system knows no group of ours by name.
    let group = capture(&mut command("id", ["-g"]))?;
    let mut dockerd = place.dockerd(root);
    dockerd
        .arg(format!("--config-file={config}"))
        .arg(format!("--host=unix://{}", place.socket().display()))
        .arg(format!("--group={}", group.trim()))
        .arg(format!("--data-root={}", place.data_inside().display()))
        .arg(format!("--exec-root={}", in_runtime("exec")))
        .arg(format!("--pidfile={}", in_runtime("engine.pid")))
        .arg(format!("--bridge={}", place.bridge()))
        .arg(format!("--mtu={mtu}"))
        // Rules of two engines in the same chains would undo each other; the bridge brings its own.
        .arg("--iptables=false")
        .arg("--ip6tables=false")
        // Where containerd is shared with the user's engine, neither may see the other's containers.
        .arg(format!("--containerd-namespace=drydock-{}", paths::number()))
        .arg(format!("--containerd-plugins-namespace=drydock-plugins-{}", paths::number()))
        .stdout(file.try_clone()?)
        .stderr(file)
        .stdin(Stdio::null())
        // Ctrl-C is for the chore, which then stops the engine.
        .process_group(0);
    dockerd.spawn().context("cannot start dockerd")
}

fn wait(socket: &Path, process: &mut Child) -> Result<()> {
    let engine = Engine { socket: socket.to_path_buf() };
    let end = Instant::now() + Duration::from_secs(45);
    while !engine.answers() {
        if let Some(status) = process.try_wait()? {
            bail!("dockerd ended: {status}");
        }
        if Instant::now() > end {
            bail!("no answer in 45 seconds");
        }
        sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn tail(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
