//! What an image says it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::{Files, Words};

/// `/etc/os-release`, as far as it decides anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OsRelease {
    /// `ID`.
    pub id: String,
    /// `VERSION_ID`.
    pub version_id: Option<String>,
    /// `VERSION_CODENAME`.
    pub codename: Option<String>,
    /// `PRETTY_NAME`.
    pub pretty_name: Option<String>,
}

/// Reads it where systemd does: first below `/etc`, then below `/usr/lib`.
pub(super) fn read(files: &Files<'_>) -> Option<OsRelease> {
    ["/etc/os-release", "/usr/lib/os-release"].into_iter().find_map(|path| {
        match files.words(path) {
            Words::Text(text) => Some(parse(text)),
            Words::Missing(_) | Words::NotAFile | Words::Unknown(_) => None,
        }
    })
}

fn parse(text: &str) -> OsRelease {
    let value = |key: &str| {
        text.lines().rev().find_map(|line| {
            let value = line.trim().strip_prefix(key)?.strip_prefix('=')?;
            Some(value.trim_matches(['"', '\'']).to_owned())
        })
    };
    OsRelease {
        id: value("ID").unwrap_or_else(|| "linux".to_owned()),
        version_id: value("VERSION_ID"),
        codename: value("VERSION_CODENAME"),
        pretty_name: value("PRETTY_NAME"),
    }
}
