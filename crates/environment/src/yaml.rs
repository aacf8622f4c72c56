//! YAML with places: what a definition file says, and where it says it.
//!
//! A [`Node`] is shared, never copied: files are parsed once, and merging a thousand agents out of
//! twenty fragments moves pointers only.

use std::sync::Arc;

mod cursor;
mod hint;
mod json;
mod map;
mod reader;
mod scalar;

pub(crate) use json::to_json;
pub(crate) use map::{Entry, Key, Map};
pub(crate) use reader::read;
pub(crate) use scalar::{Core, Scalar, Style};

/// The number of a file in [`crate::files::Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FileId(pub(crate) u32);

/// A part of a file, by its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Span {
    pub(crate) file: FileId,
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    /// From 0, in bytes of the file's text.
    pub(crate) offset: u32,
    /// In characters; 0 when it ends on another line.
    pub(crate) len: u32,
}

impl Span {
    /// The beginning of a file.
    pub(crate) const fn start_of(file: FileId) -> Self {
        Self { file, line: 1, column: 1, offset: 0, len: 0 }
    }

    /// The character of a file's `text` at byte `offset`.
    pub(crate) fn of(file: FileId, text: &str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset);
        let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (mut line, mut column) = (0, 0);
        for text in lines(&text[..offset]) {
            line += 1;
            column = text.chars().count();
        }
        Self { file, line, column: narrow(column + 1), offset: narrow(offset), len: 1 }
    }
}

/// How much a value holds, aliases counted each time they are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    pub(crate) nodes: u32,
    pub(crate) bytes: u32,
    /// Levels of lists and mappings below and including this one.
    pub(crate) height: u32,
    /// Whether some text holds `{{`: most values need no look for tokens, once for each agent.
    pub(crate) braces: bool,
}

impl Weight {
    fn add(&mut self, other: Self) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.height = self.height.max(other.height.saturating_add(1));
        self.braces |= other.braces;
    }
}

/// A value of a definition file.
#[derive(Clone, Debug)]
pub(crate) struct Node(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    span: Span,
    weight: Weight,
    value: Value,
}

/// What a value is.
#[derive(Debug)]
pub(crate) enum Value {
    /// A text, number, boolean or nothing.
    Scalar(Scalar),
    /// Items in order.
    List(Vec<Node>),
    /// Names and values in order.
    Map(Map),
}

impl Node {
    pub(crate) fn new(span: Span, value: Value) -> Self {
        let mut weight = Weight { nodes: 1, ..Weight::default() };
        match &value {
            Value::Scalar(scalar) => {
                weight.bytes = length(&scalar.text);
                weight.braces = scalar.text.contains("{{");
            }
            Value::List(items) => {
                weight.height = 1;
                items.iter().for_each(|item| weight.add(item.weight()));
            }
            Value::Map(map) => {
                weight.height = 1;
                for entry in map.entries() {
                    weight.add(entry.value.weight());
                    weight.bytes = weight.bytes.saturating_add(length(&entry.key.text));
                }
            }
        }
        Self(Arc::new(Inner { span, weight, value }))
    }

    pub(crate) fn span(&self) -> Span {
        self.0.span
    }

    pub(crate) fn weight(&self) -> Weight {
        self.0.weight
    }

    pub(crate) fn value(&self) -> &Value {
        &self.0.value
    }

    pub(crate) fn as_map(&self) -> Option<&Map> {
        match self.value() {
            Value::Map(map) => Some(map),
            Value::Scalar(_) | Value::List(_) => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Node]> {
        match self.value() {
            Value::List(items) => Some(items),
            Value::Scalar(_) | Value::Map(_) => None,
        }
    }

    pub(crate) fn as_scalar(&self) -> Option<&Scalar> {
        match self.value() {
            Value::Scalar(scalar) => Some(scalar),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The text, if this is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        self.as_scalar().filter(|scalar| scalar.core == Core::Text).map(|scalar| &*scalar.text)
    }

    /// Whether nothing is written: `~`, `null`, or an empty place after the colon.
    pub(crate) fn is_null(&self) -> bool {
        self.as_scalar().is_some_and(|scalar| scalar.core == Core::Null)
    }

    /// Whether both are one and the same value of one file.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// The lines of a text as the YAML reader counts them: `\n`, `\r\n` and a lone `\r` end one.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return Some(text);
        };
        let newline = if text[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[end + newline..]);
        Some(&text[..end])
    })
}
