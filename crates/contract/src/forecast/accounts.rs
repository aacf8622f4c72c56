//! The accounts of an image, and which of the platform's are taken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Note, NoteCode};
use crate::files::{Files, Words};

/// The name of the session's account.
const SESSION_USER: &str = "user";
/// The first user id that `useradd` gives away.
const FIRST_UID: &str = "1000";

/// What the lists of accounts say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accounts {
    /// Whether `/etc/passwd` has a line for root.
    pub root: bool,
    /// Whether there is an `/etc/group`; BuildKit needs it for `USER root`.
    pub group_file: bool,
    /// Who has user id 1000.
    pub uid_1000: Option<String>,
    /// The user id of an account named `user`.
    pub user: Option<String>,
    /// The home of that account.
    pub user_home: Option<String>,
}

pub(super) fn read(files: &Files<'_>) -> Accounts {
    let text = match files.words("/etc/passwd") {
        Words::Text(text) => text,
        Words::Missing(_) | Words::NotAFile | Words::Unknown(_) => "",
    };
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.trim().split(':').collect()).collect();
    let field = |line: &[&str], at: usize| line.get(at).copied().unwrap_or("").to_owned();
    let named = |name: &str| lines.iter().find(|line| line.first() == Some(&name));
    let user = named(SESSION_USER);
    Accounts {
        root: named("root").is_some(),
        group_file: matches!(files.words("/etc/group"), Words::Text(_)),
        uid_1000: lines
            .iter()
            .find(|line| line.get(2) == Some(&FIRST_UID))
            .map(|line| field(line, 0)),
        user: user.map(|line| field(line, 2)),
        user_home: user.map(|line| field(line, 5)),
    }
}

pub(super) fn notes(accounts: &Accounts, notes: &mut Vec<Note>) {
    if let (Some(uid), Some(home)) = (&accounts.user, &accounts.user_home) {
        let message = format!("the account `user` is there already: user id {uid}, home {home}");
        notes.push(Note::new(NoteCode::UserTaken, message));
    } else if let Some(name) = &accounts.uid_1000 {
        let message = format!("user id 1000 belongs to `{name}`");
        notes.push(Note::new(NoteCode::Uid1000Taken, message));
    }
}
