//! Whether two environments of the same name have the same specification, and if not, where they part.

use crate::check::Field;
use crate::yaml::{Core, Entry, Map, Node, Scalar, Span, Value};

/// The first place where two specifications part.
pub(super) struct Difference {
    /// `resources.memoryMB`, `steps[1]`.
    pub(super) path: String,
    /// Where the first has it; `None` when it has not.
    pub(super) first: Option<Span>,
    /// Where the second has it; `None` when it has not.
    pub(super) second: Option<Span>,
}

impl Difference {
    fn new(field: Field<'_>, first: Option<Span>, second: Option<Span>) -> Self {
        Self { path: field.to_string(), first, second }
    }
}

/// Metadata is no part of the specification.
const METADATA: &[&str] = &["name", "labels", "annotations"];

/// Compares two inline environments. The order of keys does not matter, and an empty list or
/// mapping is the same as none: both are the documented default.
pub(super) fn between(first: &Node, second: &Node) -> Option<Difference> {
    if first.is_same(second) {
        return None;
    }
    let specification =
        |node: &Node| node.as_map().map(|map| map.without(|key| METADATA.contains(&key)));
    maps(&specification(first)?, &specification(second)?, None)
}

fn maps(first: &Map, second: &Map, parent: Option<&Field<'_>>) -> Option<Difference> {
    for entry in first.entries() {
        let field = below(parent, &entry.key.text);
        let found = match second.get(&entry.key.text) {
            Some(other) => values(&entry.value, &other.value, field),
            None if is_empty(&entry.value) => None,
            None => Some(Difference::new(field, Some(entry.key.span), None)),
        };
        if found.is_some() {
            return found;
        }
    }
    let only_second =
        |entry: &&Entry| first.get(&entry.key.text).is_none() && !is_empty(&entry.value);
    let more = second.entries().iter().find(only_second)?;
    Some(Difference::new(below(parent, &more.key.text), None, Some(more.key.span)))
}

fn below<'a>(parent: Option<&'a Field<'a>>, key: &'a str) -> Field<'a> {
    parent.map_or(Field::root(key), |parent| parent.key(key))
}

fn values(first: &Node, second: &Node, field: Field<'_>) -> Option<Difference> {
    if first.is_same(second) {
        return None;
    }
    match (first.value(), second.value()) {
        (Value::Map(a), Value::Map(b)) => maps(a, b, Some(&field)),
        (Value::List(a), Value::List(b)) => {
            let mut pairs = a.iter().zip(b).enumerate();
            let inner = pairs.find_map(|(at, (a, b))| values(a, b, field.index(at)));
            inner.or_else(|| {
                let at = a.len().min(b.len());
                let (a_more, b_more) = (a.get(at).map(Node::span), b.get(at).map(Node::span));
                (a.len() != b.len()).then(|| Difference::new(field.index(at), a_more, b_more))
            })
        }
        (Value::Scalar(a), Value::Scalar(b)) if same(a, b) => None,
        _ => Some(Difference::new(field, Some(first.span()), Some(second.span()))),
    }
}

fn same(a: &Scalar, b: &Scalar) -> bool {
    match (a.core, b.core) {
        (Core::Text, Core::Text) => a.text == b.text,
        (Core::Null, Core::Null) => true,
        (Core::Bool, Core::Bool) => a.boolean() == b.boolean(),
        _ => a.whole_number().is_some() && a.whole_number() == b.whole_number(),
    }
}

fn is_empty(node: &Node) -> bool {
    match node.value() {
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.entries().is_empty(),
        Value::Scalar(_) => false,
    }
}
