//! Whether apt's sources lead to a release that left the mirrors.

use super::OsRelease;
use crate::files::{Files, Words};

/// Releases that were moved to an archive host. As of November 2026, by the listings of Debian's and
/// Ubuntu's archive hosts; a release is added here when it is moved, not when its support ends.
const ARCHIVED: [&str; 27] = [
    "potato", "woody", "sarge", "etch", "lenny", "squeeze", "wheezy", "jessie", "stretch",
    "buster", "artful", "cosmic", "disco", "eoan", "groovy", "hirsute", "impish", "kinetic",
    "lunar", "mantic", "utopic", "vivid", "wily", "yakkety", "zesty", "saucy", "raring",
];
/// Hosts that still have them, by the first word of their name, and what they have.
const ARCHIVES: [(&str, &str); 3] =
    [("//archive.", "/debian"), ("//old-releases.", "/ubuntu"), ("//snapshot.", "/debian")];

/// The archived suite that apt would ask a mirror for.
pub(super) fn archived(files: &Files<'_>, os_release: Option<&OsRelease>) -> Option<String> {
    let mut sources = String::new();
    let mut paths = vec!["/etc/apt/sources.list".to_owned()];
    paths.extend(files.below("/etc/apt/sources.list.d/"));
    for path in paths {
        if let Words::Text(text) = files.words(&path) {
            sources.push_str(text);
            sources.push('\n');
        }
    }
    let lines = || sources.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let kept = |line: &str| {
        ARCHIVES
            .iter()
            .any(|(host, what)| line.find(host).is_some_and(|start| line[start..].contains(what)))
    };
    if lines().any(kept) {
        return None;
    }
    let named = lines().flat_map(str::split_whitespace).find_map(|word| {
        let suite = word.split(['-', '/']).next()?;
        ARCHIVED.contains(&suite).then(|| suite.to_owned())
    });
    named.or_else(|| {
        let codename = os_release?.codename.clone()?;
        (sources.trim().is_empty() && ARCHIVED.contains(&codename.as_str())).then_some(codename)
    })
}
