//! How a file is laid over what it imports: mappings key by key, everything else replaces.
//!
//! Two keys of an agent are special. `triggers` merge by their `name`; `remove` takes inherited
//! triggers and tools away and is gone afterwards. `imports` belongs to its own file and never merges.

use crate::yaml::{Entry, Map, Node, Value};

/// A file over what it imports.
pub(super) fn file(inherited: Option<&Node>, own: &Node) -> Node {
    let Some(own_map) = own.as_map() else { return own.clone() };
    let own_keys = own_map.without(|key| matches!(key, "imports" | "remove"));
    let own_keys = Node::new(own.span(), Value::Map(own_keys));
    let Some(inherited) = inherited else { return own_keys };
    match own_map.get("remove") {
        Some(remove) => values(&removed(inherited, &remove.value), &own_keys),
        None => values(inherited, &own_keys),
    }
}

/// A whole agent document over another.
pub(super) fn values(under: &Node, over: &Node) -> Node {
    merge(under, over, |key, under, over| match (key, under.as_list(), over.as_list()) {
        ("triggers", Some(below), Some(above)) => triggers(under, below, above),
        _ => deep(under, over),
    })
}

fn deep(under: &Node, over: &Node) -> Node {
    merge(under, over, |_, under, over| deep(under, over))
}

/// Two mappings key by key, with `both` for keys of both; of anything else the upper one.
fn merge(under: &Node, over: &Node, both: impl Fn(&str, &Node, &Node) -> Node) -> Node {
    let (Some(below), Some(above)) = (under.as_map(), over.as_map()) else { return over.clone() };
    if below.entries().is_empty() || under.is_same(over) {
        return over.clone();
    }
    let mut merged = below.clone();
    for entry in above.entries() {
        let value = match below.get(&entry.key.text) {
            Some(lower) => both(&entry.key.text, &lower.value, &entry.value),
            None => entry.value.clone(),
        };
        merged.put(Entry { key: entry.key.clone(), value });
    }
    Node::new(over.span(), Value::Map(merged))
}

/// Triggers of the same name become one, in the place of the lower one; the others follow.
fn triggers(under: &Node, below: &[Node], above: &[Node]) -> Node {
    let mut merged = below.to_vec();
    for trigger in above {
        let same = name(trigger).and_then(|name_above| {
            merged.iter().position(|trigger| name(trigger) == Some(name_above))
        });
        match same {
            Some(at) => merged[at] = deep(&merged[at], trigger),
            None => merged.push(trigger.clone()),
        }
    }
    Node::new(under.span(), Value::List(merged))
}

fn name(item: &Node) -> Option<&str> {
    item.as_map()?.get("name")?.value.as_text()
}

/// What is inherited without what `remove` names.
fn removed(inherited: &Node, remove: &Node) -> Node {
    let (Some(map), Some(remove)) = (inherited.as_map(), remove.as_map()) else {
        return inherited.clone();
    };
    let mut kept = Map::default();
    for entry in map.entries() {
        let names = remove.get(&entry.key.text).and_then(|names| names.value.as_list());
        let value = match (&*entry.key.text, names) {
            ("triggers" | "tools", Some(names)) => without(&entry.value, names),
            _ => entry.value.clone(),
        };
        kept.put(Entry { key: entry.key.clone(), value });
    }
    Node::new(inherited.span(), Value::Map(kept))
}

/// A list without the items of these names, or a mapping without these keys.
fn without(value: &Node, names: &[Node]) -> Node {
    let named = |wanted: &str| names.iter().any(|name| name.as_text() == Some(wanted));
    let kept = match value.value() {
        Value::List(items) => {
            let gone = |item: &&Node| !item.as_text().or_else(|| name(item)).is_some_and(named);
            Value::List(items.iter().filter(gone).cloned().collect())
        }
        Value::Map(map) => Value::Map(map.without(named)),
        Value::Scalar(_) => return value.clone(),
    };
    Node::new(value.span(), kept)
}
