//! The JSON form of arguments, as strict and as lenient as builders are.

use serde_json::Value;

/// What arguments that start with `[` are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// An array of texts.
    Texts(Vec<String>),
    /// An array that holds something else: every builder refuses it.
    NotTexts,
    /// An array of texts with more behind it: Docker 20.10 ignores the rest, later builders take all
    /// of it for shell text.
    TextsAndMore,
    /// No JSON: shell text.
    No,
}

/// Reads arguments.
pub(crate) fn read(arguments: &str) -> Json {
    if !arguments.starts_with('[') {
        return Json::No;
    }
    let mut values = serde_json::Deserializer::from_str(arguments).into_iter::<Vec<Value>>();
    let Some(Ok(items)) = values.next() else { return Json::No };
    let more = !arguments[values.byte_offset()..].trim().is_empty();
    let texts: Option<Vec<String>> = items
        .into_iter()
        .map(|item| match item {
            Value::String(text) => Some(text),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        })
        .collect();
    match (texts, more) {
        (Some(_), true) => Json::TextsAndMore,
        (None, true) => Json::No,
        (Some(texts), false) => Json::Texts(texts),
        (None, false) => Json::NotTexts,
    }
}
