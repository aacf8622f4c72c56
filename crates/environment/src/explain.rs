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
    /// Where it comes from; `None` for what follows from the format, such as a stage's kind.
    pub basis: Option<Basis>,
}

/// The values at and below a pointer, in order; for a pointer into a value, that value; for what has no
/// basis of its own, what stands there. Empty when nothing stands there.
#[must_use]
pub fn explain(environment: &ResolvedEnvironment, pointer: &str) -> Vec<Explained> {
    let Ok(whole) = serde_json::to_value(environment) else { return Vec::new() };
    let pointer = pointer.trim_end_matches('/');
    let Some(asked) = whole.pointer(pointer) else { return Vec::new() };
    let mut found = Vec::new();
    collect(asked, pointer, &mut found);
    // A pointer to `…/value` or into a place means the value around it.
    let mut above = pointer;
    while let Some((outer, _)) = above.rsplit_once('/').filter(|_| found.is_empty()) {
        above = outer;
        found.extend(whole.pointer(above).and_then(|value| sourced(value, above)));
    }
    if found.is_empty() {
        found.push(Explained { pointer: pointer.to_owned(), value: shown(asked), basis: None });
    }
    found
}

/// A value that says where it comes from.
fn sourced(value: &Value, pointer: &str) -> Option<Explained> {
    let members = value.as_object()?;
    let (value, basis) = (members.get("value")?, members.get("basis")?);
    let basis = serde_json::from_value(basis.clone()).ok()?;
    Some(Explained { pointer: pointer.to_owned(), value: shown(value), basis: Some(basis) })
}

fn collect(value: &Value, pointer: &str, found: &mut Vec<Explained>) {
    match value {
        Value::Object(members) => {
            if let Some(one) = sourced(value, pointer) {
                found.push(one);
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
