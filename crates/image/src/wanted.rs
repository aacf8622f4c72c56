//! Which paths of a layer are kept: those that any image is asked for, and those that turned out to matter.

use std::collections::HashSet;

/// Folders that hold commands.
const COMMAND_FOLDERS: [&str; 6] =
    ["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"];
/// Commands that are asked for, and the files that they are often links to.
const COMMANDS: [&str; 22] = [
    "sh",
    "dash",
    "bash",
    "ash",
    "busybox",
    "[",
    "toybox",
    "mksh",
    "id",
    "uname",
    "getconf",
    "mkdir",
    "coreutils",
    "git",
    "useradd",
    "apt-get",
    "adduser",
    "usermod",
    "sudo",
    "curl",
    "getent",
    "groupadd",
];
/// Folders that hold libraries.
const LIBRARY_FOLDERS: [&str; 7] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/local/lib",
];
/// How the libraries begin that shells and core commands need.
const LIBRARIES: [&str; 14] = [
    "ld-",
    "libc.",
    "libc-",
    "libtinfo",
    "libselinux",
    "libpcre",
    "libdl",
    "libpthread",
    "libm.",
    "libm-",
    "libacl",
    "libattr",
    "libcap",
    "libgmp",
];

/// The paths that are kept. Whether a path is kept depends on nothing but the path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    named: HashSet<String>,
    only_named: bool,
}

impl Wanted {
    /// Adds a path and the folders on the way to it. Says whether anything was new.
    pub(crate) fn add(&mut self, path: &str) -> bool {
        let mut new = self.named.insert(path.to_owned());
        for (at, _) in path.match_indices('/').filter(|&(at, _)| at > 0) {
            new |= self.named.insert(path[..at].to_owned());
        }
        new
    }

    /// Keeps from now on only what was added by name: the image has too much of the rest.
    /// Says whether that is new.
    pub(crate) const fn only_named(&mut self) -> bool {
        !std::mem::replace(&mut self.only_named, true)
    }

    /// Whether this path is kept whatever else is there.
    pub(crate) fn is_named(&self, path: &str) -> bool {
        self.named.contains(path)
    }

    /// Whether this path is kept.
    pub(crate) fn keeps(&self, path: &str) -> bool {
        self.is_named(path) || (!self.only_named && is_usual(path))
    }
}

/// Whether nearly every image is asked for this path.
fn is_usual(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    match folder {
        "" => true,
        "/usr" | "/usr/local" => true,
        "/etc" => {
            crate::content::is_text(path)
                || matches!(name, "ld.so.cache" | "alternatives" | "apt" | "profile.d")
        }
        "/etc/apt" => name == "sources.list.d" || crate::content::is_text(path),
        "/etc/apt/sources.list.d" | "/etc/profile.d" => true,
        "/etc/alternatives" => COMMANDS.contains(&name),
        "/opt" => name == "auto",
        "/opt/auto" => name == "probe.env",
        "/lib" | "/usr/lib" if matches!(name, "x86_64-linux-gnu" | "os-release") => true,
        _ if COMMAND_FOLDERS.contains(&folder) => COMMANDS.contains(&name),
        _ => {
            LIBRARY_FOLDERS.contains(&folder)
                && LIBRARIES.iter().any(|library| name.starts_with(library))
        }
    }
}
