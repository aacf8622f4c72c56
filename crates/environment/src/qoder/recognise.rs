//! Whether a file is a Qoder environment: what only this platform writes.

use crate::standalone::definition::entry;
use crate::standalone::recognise::{Candidate, Fit};

/// Fields that only this platform returns.
const RETURNED: [&str; 5] = ["identity_id", "icon_url", "binding_info", "status", "archived"];
/// Words of `networking.type` that only this platform had.
const WORDS: [&str; 5] = ["allowed_hosts", "allowlist", "full_access", "restricted", "none"];

pub(super) fn recognise(candidate: &Candidate<'_>) -> Fit {
    let map = candidate.map;
    if candidate.lies_below(".claude") {
        return Fit::Not { near: 0, why: "it lies below `.claude/`".to_owned() };
    }
    let Some(config) = map.get("config").and_then(|config| config.value.as_map()) else {
        let bare = map.get("setup_script").is_some() || map.get("networking").is_some();
        let typed = map.get("type").and_then(|kind| kind.value.as_text());
        let near =
            u8::from(bare) + u8::from(matches!(typed, Some("cloud" | "self_hosted" | "managed")));
        let why =
            "its fields stand at the top: they belong below `config`, beside `name`".to_owned();
        return Fit::Not { near: near * 3, why };
    };
    let text = |path: &[&str]| entry(map, path).and_then(|entry| entry.value.as_text());
    let networking = entry(map, &["config", "networking"]);
    let only_here = config.get("setup_script").is_some()
        || text(&["config", "type"]) == Some("managed")
        || networking.is_some_and(|networking| networking.value.as_text().is_some())
        || entry(map, &["config", "networking", "allowed_domains"]).is_some()
        || text(&["config", "networking", "type"]).is_some_and(|word| WORDS.contains(&word))
        || entry(map, &["config", "packages"]).is_some_and(|list| list.value.as_list().is_some())
        || RETURNED.iter().any(|key| map.get(key).is_some())
        || candidate.lies_below(".qoder");
    if only_here { Fit::Certain } else { Fit::Possible }
}
