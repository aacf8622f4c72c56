//! Whether a file is a Claude Managed Agents environment: what only this platform writes.

use crate::standalone::definition::entry;
use crate::standalone::recognise::{Candidate, Fit};

/// Package managers that the neighbour of this format lists but never fills.
const OWN_MANAGERS: [&str; 3] = ["cargo", "gem", "go"];
/// Fields and words of that neighbour.
const FOREIGN: [&[&str]; 6] = [
    &["config", "setup_script"],
    &["config", "networking", "allowed_domains"],
    &["identity_id"],
    &["binding_info"],
    &["status"],
    &["archived"],
];

pub(super) fn recognise(candidate: &Candidate<'_>) -> Fit {
    let map = candidate.map;
    if candidate.lies_below(".qoder") {
        return Fit::Not { near: 0, why: "it lies below `.qoder/`".to_owned() };
    }
    let at_home = candidate.lies_below(".claude");
    let Some(config) = map.get("config") else {
        let packages = map.get("packages").is_some() || map.get("networking").is_some();
        let why =
            "its fields stand at the top: they belong below `config`, beside `name`".to_owned();
        return Fit::Not { near: u8::from(packages), why };
    };
    if config.value.as_map().is_none() && !at_home {
        return Fit::Not { near: 2, why: "its `config` is not a mapping".to_owned() };
    }
    let text = |path: &[&str]| entry(map, path).and_then(|entry| entry.value.as_text());
    let fills = |manager: &&str| {
        let list = entry(map, &["config", "packages", manager]);
        list.and_then(|list| list.value.as_list()).is_some_and(|list| !list.is_empty())
    };
    let foreign = FOREIGN.iter().any(|path| entry(map, path).is_some());
    if at_home
        || map.get("scope").is_some()
        || text(&["config", "networking", "type"]) == Some("package_managers_and_custom")
        || (!foreign && (is_published_file(candidate) || OWN_MANAGERS.iter().any(fills)))
    {
        return Fit::Certain;
    }
    if foreign {
        return Fit::Not { near: 1, why: "it has fields of Qoder's format".to_owned() };
    }
    Fit::Possible
}

/// The published command line reads `environment.yaml`.
fn is_published_file(candidate: &Candidate<'_>) -> bool {
    super::FILES.contains(&candidate.path.as_str())
}
