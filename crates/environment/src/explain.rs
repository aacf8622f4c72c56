//! Where a value of a resolved environment comes from, asked by its JSON pointer.

mod field;

pub use field::field_at;

use serde_json::Value;

use crate::{Basis, ResolvedEnvironment};

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Its pointer in the environment's JSON.
    pub pointer: String,
    /// The value, as JSON shows it.
    pub value: String,
    /// Where it comes from.
    pub basis: Basis,
}

/// The values at and below a pointer, in order; for a pointer into a value, that value. Empty when
/// nothing there has a basis.
#[must_use]
pub fn explain(environment: &ResolvedEnvironment, pointer: &str) -> Vec<Explained> {
    let Ok(whole) = serde_json::to_value(environment) else { return Vec::new() };
    let mut pointer = pointer.trim_end_matches('/');
    let mut found = Vec::new();
    if whole.pointer(pointer).is_none() {
        return found;
    }
    loop {
        if let Some(value) = whole.pointer(pointer) {
            collect(value, pointer, &mut found);
        }
        // A pointer to `…/value` or into a place means the value around it.
        match pointer.rsplit_once('/') {
            Some((above, _)) if found.is_empty() && !above.is_empty() => pointer = above,
            _ => return found,
        }
    }
}

fn collect(value: &Value, pointer: &str, found: &mut Vec<Explained>) {
    match value {
        Value::Object(members) => {
            let basis = members.get("basis").cloned();
            if let (Some(value), Some(Ok(basis))) =
                (members.get("value"), basis.map(serde_json::from_value::<Basis>))
            {
                let pointer = pointer.to_owned();
                found.push(Explained { pointer, value: shown(value), basis });
                return;
            }
            for (name, value) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(value, &format!("{pointer}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect(value, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
