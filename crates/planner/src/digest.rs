//! SHA-256 over canonical JSON: equal values give equal digests, whatever order their keys were made in.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of the value's canonical JSON, in hexadecimal.
pub(crate) fn of(value: &Value) -> String {
    let text = canonical(value).to_string();
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Sorts the keys of every mapping; the order of lists is kept, because it means something.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> =
                map.iter().map(|(key, value)| (key.clone(), canonical(value))).collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(entries.into_iter().collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn the_order_of_keys_does_not_count_and_the_order_of_lists_does() {
        assert_eq!(super::of(&json!({"a": 1, "b": 2})), super::of(&json!({"b": 2, "a": 1})));
        assert_ne!(super::of(&json!([1, 2])), super::of(&json!([2, 1])));
    }
}
