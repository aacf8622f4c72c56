//! What the platform would meet behind the probe: packages, accounts, PATH, and the image's own config.

mod accounts;
mod apt;
mod config;
mod login_path;
mod note;
mod os_release;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::Files;
use crate::{CheckResult, ImageFacts, Node};

pub use accounts::Accounts;
pub use login_path::LostPath;
pub use note::{Note, NoteCode, Weight};
pub use os_release::OsRelease;

/// The commands whose presence the probe records, and those that the account's making needs.
const COMMANDS: [&str; 6] = ["git", "bash", "useradd", "apt-get", "groupadd", "getent"];

/// What the platform would meet behind the probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Forecast {
    /// Whether the platform's packages can be installed.
    pub bootstrap: CheckResult,
    /// Why, where they cannot or the files do not say.
    pub bootstrap_reason: Option<String>,
    /// Which commands are on PATH; one that is not listed could not be told.
    pub commands: BTreeMap<String, bool>,
    /// The accounts.
    pub accounts: Accounts,
    /// Which folders of the image's PATH a login shell loses.
    pub lost_path: LostPath,
    /// What the image says it is.
    pub os_release: Option<OsRelease>,
    /// What is worth knowing.
    pub notes: Vec<Note>,
    /// Paths that were asked for and had not been read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// Looks past the probe.
#[must_use]
pub fn forecast(facts: &ImageFacts) -> Forecast {
    let files = Files::new(facts);
    let commands = commands(facts, &files);
    let os_release = os_release::read(&files);
    let accounts = accounts::read(&files);
    let lost_path = login_path::lost(&files, &facts.config);
    let mut notes = Vec::new();
    let (bootstrap, bootstrap_reason) =
        bootstrap(&commands, &files, os_release.as_ref(), &mut notes);
    accounts::notes(&accounts, &mut notes);
    login_path::notes(&lost_path, &mut notes);
    config::notes(&facts.config, &mut notes);
    let unread = files.into_unread();
    Forecast {
        bootstrap,
        bootstrap_reason,
        commands,
        accounts,
        lost_path,
        os_release,
        notes,
        unread,
    }
}

fn commands(facts: &ImageFacts, files: &Files<'_>) -> BTreeMap<String, bool> {
    let mut found = BTreeMap::new();
    for name in COMMANDS {
        let mut known = true;
        let mut there = false;
        for folder in facts.config.search_path() {
            match files.find(&format!("{}/{name}", folder.trim_end_matches('/'))) {
                Ok((_, Node::File { mode, .. })) if mode & 0o111 != 0 => {
                    there = true;
                    break;
                }
                Err(trouble) if trouble.is_unknown() => known = false,
                Ok(_) | Err(_) => {}
            }
        }
        if there || known {
            found.insert(name.to_owned(), there);
        }
    }
    found
}

/// The platform runs `apt-get` whatever is there already.
fn bootstrap(
    commands: &BTreeMap<String, bool>,
    files: &Files<'_>,
    os_release: Option<&OsRelease>,
    notes: &mut Vec<Note>,
) -> (CheckResult, Option<String>) {
    match commands.get("apt-get") {
        Some(true) => {}
        Some(false) => {
            let why = "there is no apt-get, and the platform's packages come by it";
            notes.push(Note::new(NoteCode::NoAptGet, why.to_owned()));
            return (CheckResult::Fail, Some(why.to_owned()));
        }
        None => return (CheckResult::Unknown, Some("PATH could not be read".to_owned())),
    }
    match apt::archived(files, os_release) {
        Some(suite) => {
            let why = format!("{suite} is archived: its packages are no longer on the mirrors");
            notes.push(Note::new(NoteCode::SuiteArchived, why.clone()));
            (CheckResult::Fail, Some(why))
        }
        None => (CheckResult::Pass, None),
    }
}
