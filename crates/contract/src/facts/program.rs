//! A program or library: what the kernel and its loader read of it, and which one it is.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the kernel and the loader read of an ELF file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Elf {
    /// What it was compiled for.
    pub machine: Machine,
    /// Whether it can be started at all (`ET_EXEC` or `ET_DYN`).
    pub loadable: bool,
    /// Its loader (`PT_INTERP`); none for a static program or a library.
    pub loader: Option<String>,
    /// The libraries that it needs, in order.
    pub needed: Vec<String>,
    /// `DT_RPATH`.
    pub rpath: Option<String>,
    /// `DT_RUNPATH`.
    pub runpath: Option<String>,
    /// The symbol versions that it needs and cannot do without.
    pub version_needs: Vec<VersionNeed>,
    /// The symbol versions that it brings.
    pub version_defs: BTreeSet<String>,
    /// Which program it is.
    pub program: Program,
}

/// The processor that an ELF file was compiled for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Machine {
    /// 64-bit x86.
    #[default]
    X86_64,
    /// 32-bit x86 (or x32), which some 64-bit kernels run and some do not.
    X86_32,
    /// Anything else, by the name of its ELF machine.
    Other(String),
}

/// A symbol version that must come from a library of this name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct VersionNeed {
    /// The library's name.
    pub library: String,
    /// The version (`GLIBC_2.34`).
    pub version: String,
}

/// Which program an ELF file is. Its name says nothing: these are told apart by what stands in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Program {
    /// Not one that is told apart here.
    #[default]
    Unknown,
    /// The Debian Almquist shell.
    Dash,
    /// The GNU shell.
    Bash,
    /// The MirBSD Korn shell.
    Mksh,
    /// BusyBox: many commands in one file, told apart by the name it is called by.
    Busybox {
        /// The version line.
        version: String,
        /// Which of the asked commands it brings.
        applets: BTreeSet<String>,
    },
    /// Toybox: the same idea.
    Toybox {
        /// Which of the asked commands it brings.
        applets: BTreeSet<String>,
        /// Whether its `getconf` knows `GNU_LIBC_VERSION`.
        knows_glibc: bool,
    },
    /// One program of GNU coreutils.
    Coreutils {
        /// Which: `id`, `uname`, `mkdir`.
        command: String,
    },
    /// All of GNU coreutils in one file, told apart by name or by `--coreutils-prog-shebang=`.
    CoreutilsAll,
    /// A `getconf`.
    Getconf {
        /// Whether it knows `GNU_LIBC_VERSION`: glibc's does, musl's does not.
        knows_glibc: bool,
    },
    /// glibc's `libc.so.6`.
    Glibc {
        /// What it answers to `GNU_LIBC_VERSION`: `glibc 2.36`.
        answer: String,
    },
    /// glibc's loader.
    GlibcLoader {
        /// Its version (`2.36`), where it says one.
        version: Option<String>,
        /// The folders that it searches last, in order, as they are built in.
        folders: Vec<String>,
    },
    /// musl: library and loader in one.
    Musl,
}
