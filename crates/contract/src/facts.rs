//! What was read of an image: its platform, its config, and the files that the contract asks about.
//!
//! Facts are files, not opinions. Whoever reads an image fills them in; [`crate::judge`] thinks. A
//! verdict can therefore be reproduced from its facts alone, on another machine and without the image.

mod program;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use program::{Elf, Machine, Program, VersionNeed};

/// Everything that was read of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImageFacts {
    /// `image-facts/1`.
    pub schema: String,
    /// What the image says it was made for.
    pub platform: Platform,
    /// What its config does to a build and to a session.
    pub config: ImageConfig,
    /// What stands at a path. Paths are absolute and pass through no link; what is not listed was not read.
    pub files: BTreeMap<String, Node>,
    /// The size of all its layers, unpacked, in bytes; `None` when not all of them were read.
    pub size: Option<u64>,
}

/// What an image says it was made for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Platform {
    /// The operating system, in Go's spelling.
    pub os: String,
    /// The processor, in Go's spelling.
    pub architecture: String,
    /// The processor's variant.
    pub variant: Option<String>,
}

impl Default for Platform {
    fn default() -> Self {
        Self { os: "linux".into(), architecture: "amd64".into(), variant: None }
    }
}

/// The part of an image's config that reaches a build or a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImageConfig {
    /// `NAME=value`, in order.
    pub env: Vec<String>,
    /// `SHELL`; empty means `/bin/sh -c`.
    pub shell: Vec<String>,
    /// `USER`; empty means root.
    pub user: String,
    /// `WORKDIR`; empty means `/`.
    pub working_dir: String,
    /// `ENTRYPOINT`.
    pub entrypoint: Vec<String>,
    /// `CMD`.
    pub cmd: Vec<String>,
    /// `ONBUILD` triggers, in order.
    pub on_build: Vec<String>,
    /// `VOLUME` paths.
    pub volumes: Vec<String>,
}

/// The PATH that both builders give to a `RUN` when the image sets none.
pub const DEFAULT_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

impl ImageConfig {
    /// The value of a variable; the last one stands.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.env.iter().rev().find_map(|entry| entry.strip_prefix(name)?.strip_prefix('='))
    }

    /// The folders in which a command is looked up, in order and made absolute.
    #[must_use]
    pub fn search_path(&self) -> Vec<String> {
        let path = self.variable("PATH").unwrap_or(DEFAULT_PATH);
        let folder = |entry: &str| match (entry.starts_with('/'), self.working_dir.as_str()) {
            (true, _) => entry.to_owned(),
            (false, "") => format!("/{entry}"),
            (false, dir) => format!("{dir}/{entry}"),
        };
        path.split(':').map(folder).collect()
    }
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Node {
    /// Nothing.
    Absent,
    /// A folder.
    Directory,
    /// A symbolic link.
    Link {
        /// Its text.
        target: String,
    },
    /// A file.
    File {
        /// Its permission bits.
        mode: u32,
        /// Its size in bytes.
        size: u64,
        /// What it holds.
        content: Content,
    },
    /// A device, a pipe, a socket.
    Special,
}

/// What a file holds, as far as a kernel or a loader cares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "holds", rename_all = "kebab-case")]
pub enum Content {
    /// Nothing at all.
    Nothing,
    /// A program or a library.
    Elf(Box<Elf>),
    /// A script with a `#!` line.
    Script {
        /// Who runs it.
        interpreter: String,
        /// The rest of the line, as one argument.
        argument: Option<String>,
    },
    /// Text, kept for the few files whose words count.
    Text {
        /// The words.
        text: String,
    },
    /// The loader's cache: library name to paths, 64-bit x86 only.
    LibraryCache {
        /// Where it finds what.
        libraries: BTreeMap<String, Vec<String>>,
    },
    /// Anything else.
    Data,
    /// Not looked at, and why: larger than the reader's limit, or broken.
    Unread {
        /// Why.
        why: String,
    },
}
