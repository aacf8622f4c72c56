//! SHA-256 over canonical JSON: equal values give equal digests, whatever order their keys were made in.

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{Instruction, InstructionKind};

/// The SHA-256 of the value's canonical JSON, in hexadecimal.
pub(crate) fn of(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What stands for an instruction's text. The probe is long, constant, and pinned by its own digest.
pub(crate) fn text_of(instruction: &Instruction) -> &str {
    match instruction.kind {
        InstructionKind::Probe => contract::PROBE_SHA256,
        _ => &instruction.text,
    }
}

/// Writes the keys of every mapping sorted; the order of lists is kept, because it means something.
fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                separate(index, text);
                let _ = write!(text, "{}:", Value::from(key.as_str()));
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, text);
                write(item, text);
            }
            text.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let _ = write!(text, "{value}");
        }
    }
}

fn separate(index: usize, text: &mut String) {
    if index > 0 {
        text.push(',');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn the_order_of_keys_does_not_count_and_the_order_of_lists_does() {
        assert_eq!(
            super::of(&json!({"a": 1, "b": [{"d": "\"", "c": 2}]})),
            super::of(&json!({"b": [{"c": 2, "d": "\""}], "a": 1}))
        );
        assert_ne!(super::of(&json!([1, 2])), super::of(&json!([2, 1])));
    }

    #[test]
    fn what_is_hashed_is_json() {
        let mut text = String::new();
        super::write(&json!({"b": ["x\n", null], "a": {"é": true}}), &mut text);
        assert_eq!(text, r#"{"a":{"é":true},"b":["x\n",null]}"#);
    }
}
