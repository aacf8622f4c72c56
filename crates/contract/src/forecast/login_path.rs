//! Which folders of the image's PATH a login shell loses: `/etc/profile` sets PATH anew on Debian.
//!
//! The profile is read, not run. Only what can be told from its words is: an assignment that does not
//! mention the old PATH throws it away; one that does keeps it. Where neither shows, nothing is said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Note, NoteCode};
use crate::ImageConfig;
use crate::files::{Files, Words};

/// The folders of PATH that do not survive, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LostPath {
    /// Under `sh -lc`, as setup runs.
    pub sh: Vec<String>,
    /// Under `bash -lc`, as hosted steps run.
    pub bash: Vec<String>,
    /// Files that may put folders back; they were not run.
    pub may_restore: Vec<String>,
}

pub(super) fn lost(files: &Files<'_>, config: &ImageConfig) -> LostPath {
    let mut lost = LostPath::default();
    let Some(path) = config.variable("PATH") else { return lost };
    let Words::Text(profile) = files.words("/etc/profile") else { return lost };
    let Some(kept) = path_for_others(profile) else { return lost };
    for script in files.below("/etc/profile.d/") {
        if let Words::Text(text) = files.words(&script)
            && script.ends_with(".sh")
            && code(text).any(|line| line.contains("PATH"))
        {
            lost.may_restore.push(script);
        }
    }
    let gone = path
        .split(':')
        .filter(|folder| !folder.is_empty() && !kept.split(':').any(|kept| kept == *folder));
    // The account's own folders have no say in a build that made them a moment before.
    lost.sh = gone.map(str::to_owned).collect();
    lost.bash.clone_from(&lost.sh);
    lost
}

pub(super) fn notes(lost: &LostPath, notes: &mut Vec<Note>) {
    let standard =
        |folder: &&String| matches!(folder.as_str(), "/usr/sbin" | "/sbin" | "/usr/local/sbin");
    let worth: Vec<&str> =
        lost.sh.iter().filter(|folder| !standard(folder)).map(String::as_str).collect();
    if !worth.is_empty() {
        let message = format!("a login shell loses {} from PATH", worth.join(", "));
        notes.push(Note::new(NoteCode::PathLost, message));
    }
}

/// The PATH that a profile gives to accounts other than root, when it throws the old one away.
fn path_for_others(profile: &str) -> Option<String> {
    let assigned: Vec<&str> = code(profile)
        .filter_map(|line| {
            let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
            Some(line.strip_prefix("PATH=")?.trim_end_matches(';').trim_matches(['"', '\'']))
        })
        .collect();
    if assigned.iter().any(|value| value.contains("PATH") || value.contains('`')) {
        return None;
    }
    // Debian's has two: root's first, then everybody else's.
    assigned.last().map(|value| (*value).to_owned())
}

fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.starts_with('#'))
}
