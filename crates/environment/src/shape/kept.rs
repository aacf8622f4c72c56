//! What a definition holds that no stage, section or set of the model takes: kept verbatim.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{Does, Object, Shape, Standing};
use crate::yaml::{Map, to_json};

/// Every authored field that is only checked or kept, by its path.
pub(crate) fn kept(map: &Map, object: &'static Object) -> BTreeMap<String, Json> {
    let mut kept = BTreeMap::new();
    collect(map, object, "", &mut kept);
    kept
}

fn collect(map: &Map, object: &'static Object, above: &str, kept: &mut BTreeMap<String, Json>) {
    for entry in map.entries() {
        let name = &entry.key.text;
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        let field = object.field(name);
        let lands = field.is_some_and(|field| {
            !matches!(field.standing, Standing::Refused { .. })
                && matches!(field.does, Does::Built | Does::Tried | Does::Planned)
        });
        match (field.map(|field| &field.shape), entry.value.as_map()) {
            (Some(Shape::Object(inner)), Some(map)) => collect(map, inner, &path, kept),
            _ if !lands => {
                kept.insert(path, to_json(&entry.value));
            }
            _ => {}
        }
    }
}
