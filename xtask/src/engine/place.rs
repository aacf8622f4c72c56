//! What keeps an engine of ours apart from the other one, and from everybody else's.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths;
use crate::root::Root;

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The one of this machine's packages.
    Here,
    /// A later Debian's, in a folder that is its whole system.
    Newer,
}

/// Enters a system in a folder, its mounts in a namespace that ends with the last process in it: a killed engine
/// leaves no mount behind. `docker load` and the overlays want the root to be a mount point.
const ENTER: &str = r#"
mount --bind "$0" "$0"
for tree in proc sys dev; do mount --rbind "/$tree" "$0/$tree"; done
mkdir -p "$0$1"
mount --bind "$1" "$0$1"
root=$0; shift
exec chroot "$root" "$@"
"#;

impl Place {
    pub(crate) const ALL: [Self; 2] = [Self::Here, Self::Newer];

    /// Sockets and pid files. A Unix socket's path ends at 107 bytes, so this does not lie below the workspace. The
    /// name stands in the command line of each process of the engine, and neither is the beginning of the other.
    pub(crate) fn runtime(self) -> PathBuf {
        let name = match self {
            Self::Here => "xtask",
            Self::Newer => "newer",
        };
        PathBuf::from(format!("/run/drydock-{name}-{}", paths::number()))
    }

    /// Where the engine listens.
    pub(crate) fn socket(self) -> PathBuf {
        self.runtime().join("engine.sock")
    }

    /// What the engine says.
    pub(crate) fn log(self) -> PathBuf {
        paths::cache().join(match self {
            Self::Here => "engine.log",
            Self::Newer => "newer-engine.log",
        })
    }

    /// The bridge's name, as long as an interface's may be.
    pub(crate) fn bridge(self) -> String {
        let name = match self {
            Self::Here => "drydock",
            Self::Newer => "drynewe",
        };
        format!("{name}{}", paths::number())
    }

    /// The engine's data, as this machine sees it.
    pub(crate) fn data(self) -> PathBuf {
        match self {
            Self::Here => paths::cache().join("engine"),
            Self::Newer => Self::system().join("var/lib/docker"),
        }
    }

    /// The same, as the engine sees it.
    pub(crate) fn data_inside(self) -> PathBuf {
        match self {
            Self::Here => self.data(),
            Self::Newer => Path::new("/var/lib/docker").to_owned(),
        }
    }

    /// The folder that is the newer engine's system.
    pub(crate) fn system() -> PathBuf {
        paths::cache().join("newer")
    }

    /// `dockerd` with no argument yet.
    pub(crate) fn dockerd(self, root: Root) -> Command {
        match self {
            Self::Here => root.command("dockerd", [""; 0]),
            Self::Newer => {
                let mut enter = root.command("unshare", ["--mount", "sh", "-euc", ENTER]);
                enter.arg(Self::system()).arg(self.runtime()).arg("dockerd");
                enter
            }
        }
    }
}
