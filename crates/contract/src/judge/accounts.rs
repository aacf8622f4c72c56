//! What the builder does at `USER root`, before any shell runs.

use super::Builder;
use crate::Silence;
use crate::files::{Files, Words};

/// The account that `USER root` gives.
pub(super) enum RootAccount {
    /// This user id.
    Uid(i64),
    /// None: the build ends here.
    Stops(Silence, String),
    /// The files do not say.
    Unknown(String),
}

/// Looks up `root` as the builder does.
///
/// Both builders want a line for root in `/etc/passwd`. BuildKit wants `/etc/group` too, and fails
/// without it; the classic builder takes its absence for an empty one.
pub(super) fn root_account(files: &Files<'_>, builder: Builder) -> RootAccount {
    let passwd = match files.words("/etc/passwd") {
        Words::Text(text) => text,
        Words::Missing(why) => {
            return RootAccount::Stops(Silence::Account, format!("USER root: {why}"));
        }
        Words::NotAFile => {
            return RootAccount::Stops(
                Silence::Account,
                "USER root: /etc/passwd is no list of accounts".to_owned(),
            );
        }
        Words::Unknown(why) => return RootAccount::Unknown(why),
    };
    let uid = passwd.lines().map(str::trim).find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some("root")).then(|| fields.nth(1).unwrap_or("").parse().unwrap_or(0))
    });
    let Some(uid) = uid else {
        return RootAccount::Stops(
            Silence::Account,
            "USER root: /etc/passwd has no line for root".to_owned(),
        );
    };
    match (files.words("/etc/group"), builder) {
        (Words::Text(_), _) | (Words::Missing(_), Builder::Classic) => RootAccount::Uid(uid),
        (Words::Missing(why), Builder::Buildkit) => RootAccount::Stops(
            Silence::Groups,
            format!("USER root: {why}, and BuildKit asks for it"),
        ),
        (Words::NotAFile, _) => RootAccount::Stops(
            Silence::Groups,
            "USER root: /etc/group is no list of groups".to_owned(),
        ),
        (Words::Unknown(why), _) => RootAccount::Unknown(why),
    }
}
