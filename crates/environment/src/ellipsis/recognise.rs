//! Whether a file is an Ellipsis environment.

use crate::standalone::recognise::{Candidate, Fit};

/// The fields that, with others beside them, point to this format.
const TYPICAL: [&str; 7] =
    ["repositories", "variables", "mcp_servers", "image", "hooks", "compute", "sandbox"];

pub(super) fn recognise(candidate: &Candidate<'_>) -> Fit {
    let Some(header) = candidate.map.get("ellipsis") else {
        let typical = TYPICAL.iter().filter(|key| candidate.map.get(key).is_some()).count();
        let near = u8::try_from(typical).unwrap_or(u8::MAX);
        let why = "it has no `ellipsis` mapping with `kind: environment`".to_owned();
        return Fit::Not { near, why };
    };
    let kind = header.value.as_map().and_then(|header| header.get("kind"));
    match kind.and_then(|kind| kind.value.as_text()) {
        Some("agent") => Fit::OtherKind("an automation".to_owned()),
        // Before generation e4 an automation had no kind.
        None if is_automation(candidate) => Fit::OtherKind("an automation".to_owned()),
        Some(_) | None => Fit::Certain,
    }
}

fn is_automation(candidate: &Candidate<'_>) -> bool {
    const AUTOMATION: [&str; 5] = ["prompt", "triggers", "trigger", "environment", "sandbox"];
    AUTOMATION.iter().any(|key| candidate.map.get(key).is_some())
}
