//! A node as JSON, for what is kept verbatim.

use serde_json::{Number, Value as Json};

use super::{Core, Node, Scalar, Value};

/// The value as JSON. A number that JSON would write otherwise than the author (`1.10`, `0x1F`) becomes
/// the author's text.
pub(crate) fn to_json(node: &Node) -> Json {
    match node.value() {
        Value::Scalar(scalar) => scalar_to_json(scalar),
        Value::List(items) => Json::Array(items.iter().map(to_json).collect()),
        Value::Map(map) => {
            let pairs = map.entries().iter();
            Json::Object(
                pairs.map(|entry| (entry.key.text.to_string(), to_json(&entry.value))).collect(),
            )
        }
    }
}

fn scalar_to_json(scalar: &Scalar) -> Json {
    let number: Option<Number> = match scalar.core {
        Core::Null => return Json::Null,
        Core::Bool => return Json::Bool(scalar.boolean().unwrap_or_default()),
        Core::Text => None,
        Core::Int => scalar.text.parse::<i64>().ok().map(Number::from),
        Core::Float => scalar.text.parse::<f64>().ok().and_then(Number::from_f64),
    };
    number
        .filter(|number| number.to_string() == *scalar.text)
        .map_or_else(|| Json::from(&*scalar.text), Json::Number)
}
