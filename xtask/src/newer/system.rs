//! A later Debian in a folder, with its engine and `docker buildx`; made once, and kept in the cache.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use anyhow::Result;

use crate::bases::host;
use crate::command::quiet;
use crate::engine::Place;
use crate::paths;
use crate::root::Root;

/// The first whose packages can be had. `sid` has the newest; on some days it does not install.
const SUITES: [&str; 2] = ["sid", "trixie"];

/// Raise it when the code below changes what it makes.
const RECIPE: &str = "1";

/// Run inside the system: the engine, and away with what only people read.
const INSTALL: &str = "\
printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
apt-get update -qq
apt-get install -qq -y --no-install-recommends docker.io docker-cli docker-buildx
apt-get clean
rm -rf /var/lib/apt/lists/* /usr/share/doc /usr/share/locale /usr/share/man
";

/// `docker buildx` of that system, as a program of this machine.
pub(crate) fn buildx() -> PathBuf {
    paths::cache().join("newer-buildx")
}

/// Makes the system unless it is there. `Err` inside is why its packages cannot be had.
pub(crate) fn install(root: Root) -> Result<Result<(), String>> {
    let made = paths::cache().join("newer-made");
    if fs::read_to_string(&made).is_ok_and(|recipe| recipe == RECIPE) {
        return Ok(Ok(()));
    }
    let mut reasons = Vec::new();
    for suite in SUITES {
        eprintln!("xtask: making a Debian {suite} with a newer engine");
        // It is bound and mounted over only in a namespace that is gone with its engine.
        quiet(root.command("rm", ["-rf"]).arg(Place::system()))?;
        match make(root, suite) {
            Ok(()) => {
                write_buildx()?;
                fs::write(made, RECIPE)?;
                return Ok(Ok(()));
            }
            Err(error) => reasons.push(format!("{suite}: {error:#}")),
        }
    }
    Ok(Err(reasons.join("\n")))
}

fn make(root: Root, suite: &str) -> Result<()> {
    let system = Place::system();
    let mirror = host::debian_mirror(root)?;
    // It mounts in the folder, and a killed one would leave that behind, were the mounts not its own.
    let flags = ["--mount", "debootstrap", "--variant=minbase", "--merged-usr", suite];
    quiet(root.command("unshare", flags).arg(&system).arg(&mirror))?;
    let additions = paths::cache().join("newer-additions");
    // Of a mirror that stands still, the list of packages outlives its own date.
    let stale = ("etc/apt/apt.conf.d/90stale", b"Acquire::Check-Valid-Until \"false\";\n".to_vec());
    let names = ("etc/resolv.conf", fs::read("/etc/resolv.conf").unwrap_or_default());
    for (file, text) in host::additions()?.into_iter().chain([stale, names]) {
        crate::bases::put(&additions, file, &text)?;
    }
    let mut copy = root.command("cp", ["-r", "--no-preserve=ownership", "--remove-destination"]);
    quiet(copy.arg(additions.join(".")).arg(&system))?;
    fs::remove_dir_all(&additions)?;
    let mut install = root.command("chroot", [&system]);
    quiet(install.args(["env", "DEBIAN_FRONTEND=noninteractive", "sh", "-euc", INSTALL]))
}

/// The plug-in is a program by itself, and finds its libraries where the system's own loader looks.
fn write_buildx() -> Result<()> {
    let system = Place::system().display().to_string();
    let text = format!(
        "#!/bin/sh\nsystem='{system}'\nexec \"$system/lib64/ld-linux-x86-64.so.2\" \
         --library-path \"$system/usr/lib/x86_64-linux-gnu\" \
         \"$system/usr/libexec/docker/cli-plugins/docker-buildx\" \"$@\"\n"
    );
    fs::write(buildx(), text)?;
    Ok(fs::set_permissions(buildx(), fs::Permissions::from_mode(0o755))?)
}
