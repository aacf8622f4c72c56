//! `variables`: fills the `{{ $name }}` tokens of the fields that are modelled.
//!
//! Tokens without a dollar sign (`{{github.…}}`, `{{payload.…}}`) are filled when a session runs and stay.

use super::reader::Reader;
use crate::Code;
use crate::check::{Checks, Field, at};
use crate::fault::{Fault, nearest, quote};
use crate::limits::{TEXT_BYTES, UNKNOWN_TOKENS};
use crate::yaml::{Core, Entry, Map, Node, Scalar, Style, Value};

/// The fields whose tokens are filled.
const FILLED: &[&str] = &["name", "environment", "env", "mounts", "workingDirectory"];

/// The agent with its tokens filled; `None` when it holds none.
pub(super) fn fill(reader: &mut Reader<'_>, agent: &Node) -> Option<Node> {
    let map = agent.as_map()?;
    let variables = map.get("variables").and_then(|entry| {
        let mut checks = Checks::default();
        let map = checks.map(Field::root("variables"), at(entry), &entry.value);
        checks.faults.into_iter().for_each(|fault| reader.push(fault));
        map
    });
    let mut filler = Filler { reader, variables, room: TEXT_BYTES as usize, unknown: 0 };
    let mut filled = None;
    for entry in map.entries().iter().filter(|entry| FILLED.contains(&&*entry.key.text)) {
        if let Some(value) = filler.node(&entry.value) {
            let filled = filled.get_or_insert_with(|| map.clone());
            filled.put(Entry { key: entry.key.clone(), value });
        }
    }
    Some(Node::new(agent.span(), Value::Map(filled?)))
}

struct Filler<'r, 'f, 'n> {
    reader: &'r mut Reader<'f>,
    variables: Option<&'n Map>,
    /// Bytes that tokens may still grow to.
    room: usize,
    /// How many unknown tokens were found.
    unknown: usize,
}

impl Filler<'_, '_, '_> {
    /// The value with its tokens filled; `None` when nothing changes.
    fn node(&mut self, node: &Node) -> Option<Node> {
        if !node.weight().braces {
            return None;
        }
        let value = match node.value() {
            Value::Scalar(scalar) => Value::Scalar(self.scalar(node, scalar)?),
            Value::List(items) => {
                let mut changed = None;
                for (at, item) in items.iter().enumerate() {
                    if let Some(item) = self.node(item) {
                        changed.get_or_insert_with(|| items.clone())[at] = item;
                    }
                }
                Value::List(changed?)
            }
            Value::Map(map) => {
                let mut changed = None;
                for entry in map.entries() {
                    if let Some(value) = self.node(&entry.value) {
                        let changed = changed.get_or_insert_with(|| map.clone());
                        changed.put(Entry { key: entry.key.clone(), value });
                    }
                }
                Value::Map(changed?)
            }
        };
        Some(Node::new(node.span(), value))
    }

    fn scalar(&mut self, node: &Node, scalar: &Scalar) -> Option<Scalar> {
        let mut filled = String::new();
        let mut rest = &*scalar.text;
        let mut changed = false;
        while let Some((before, name, after)) = next_token(rest) {
            filled.push_str(before);
            let value = self.variables.and_then(|map| map.get(name)?.value.as_scalar());
            match value.filter(|value| value.core != Core::Null && value.text.len() <= self.room) {
                Some(value) => {
                    filled.push_str(&value.text);
                    self.room -= value.text.len();
                    changed = true;
                }
                None => {
                    self.unknown(node, name);
                    filled.push_str(&rest[before.len()..rest.len() - after.len()]);
                }
            }
            rest = after;
        }
        filled.push_str(rest);
        // What was filled in no longer stands in the file character for character.
        changed.then(|| Scalar { text: filled.into(), core: Core::Text, style: Style::Folded })
    }

    fn unknown(&mut self, node: &Node, name: &str) {
        self.unknown += 1;
        if self.unknown > UNKNOWN_TOKENS {
            return;
        }
        let names =
            self.variables.map_or(&[][..], Map::entries).iter().map(|entry| &*entry.key.text);
        let near = (self.unknown <= 3).then(|| nearest(name, names)).flatten();
        let near = near.map(|near| format!("did you mean `{near}`?"));
        let message = format!("`variables` has no text named {}", quote(name));
        let fault = Fault::new(Code::TemplateVariable, node.span(), message)
            .expected("a name from `variables`")
            .maybe_hint(near);
        self.reader.push(fault);
    }
}

/// The longest token that is looked at, in bytes.
const TOKEN_BYTES: usize = 160;

/// What stands before the first `{{ $name }}`, the name, and what follows.
fn next_token(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find("{{")?;
        let inner = &text[open + 2..];
        if let Some(close) = inner[..inner.floor_char_boundary(TOKEN_BYTES)].find("}}") {
            let name = inner[..close].trim().strip_prefix('$').unwrap_or_default();
            let word =
                |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
            if !name.is_empty() && name.bytes().all(word) {
                return Some((&text[..open], name, &inner[close + 2..]));
            }
        }
        from = open + 2;
    }
}
