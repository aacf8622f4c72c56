//! Checks that every dialect needs: is it a text, a list, a mapping, a whole number, a known key?

use std::fmt;

use crate::Code;
use crate::fault::{Fault, nearest, quote};
use crate::yaml::{Core, Entry, Map, Node, Scalar, Span, Value};

/// A field's name for messages: `environment.setup[0].commands`. Costs nothing until it is shown.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    parent: Option<&'a Field<'a>>,
    part: Part<'a>,
}

#[derive(Clone, Copy)]
enum Part<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Field<'a> {
    pub(crate) const fn root(name: &'a str) -> Self {
        Self { parent: None, part: Part::Key(name) }
    }

    pub(crate) const fn key(&'a self, name: &'a str) -> Field<'a> {
        Field { parent: Some(self), part: Part::Key(name) }
    }

    pub(crate) const fn index(&'a self, index: usize) -> Field<'a> {
        Field { parent: Some(self), part: Part::Index(index) }
    }

    /// How a line that sets this field to `value` is written.
    fn assignment(&self, value: &str) -> String {
        match self.part {
            Part::Key(name) => format!("{name}: {value}"),
            Part::Index(_) => format!("- {value}"),
        }
    }
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.parent, self.part) {
            (None, Part::Key(name)) => f.write_str(name),
            (Some(parent), Part::Key(name)) => write!(f, "{parent}.{name}"),
            (None, Part::Index(at)) => write!(f, "[{at}]"),
            (Some(parent), Part::Index(at)) => write!(f, "{parent}[{at}]"),
        }
    }
}

/// Where to point for an entry: at its value, or at its key when the value stands below or is not written.
pub(crate) fn at(entry: &Entry) -> Span {
    let span = entry.value.span();
    let on_key_line = span.line == entry.key.span.line && span.file == entry.key.span.file;
    match entry.value.value() {
        Value::Scalar(scalar) if !scalar.text.is_empty() || span.len > 0 => span,
        Value::List(_) | Value::Map(_) if on_key_line => span,
        Value::Scalar(_) | Value::List(_) | Value::Map(_) => entry.key.span,
    }
}

/// Checks values and keeps what it finds.
#[derive(Default)]
pub(crate) struct Checks {
    pub(crate) faults: Vec<Fault>,
}

impl Checks {
    pub(crate) fn push(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// The text of a value, which must be one.
    pub(crate) fn text<'n>(
        &mut self,
        field: Field<'_>,
        at: Span,
        node: &'n Node,
    ) -> Option<&'n str> {
        let Some(scalar) = node.as_scalar() else {
            self.wrong_type(field, at, node, "a text");
            return None;
        };
        if scalar.core != Core::Text {
            self.push(not_a_string(field, at, scalar));
            return None;
        }
        if let Some(other) = scalar.yaml_1_1_trap() {
            let message =
                format!("{} is a text in YAML 1.2, but {other} in YAML 1.1", quote(&scalar.text));
            let written = field.assignment(&format!("\"{}\"", scalar.text));
            let fault = Fault::new(Code::AmbiguousScalar, at, message)
                .expected("a text in quotes")
                .hint(format!("write `{written}`"));
            self.push(fault);
        }
        Some(&scalar.text)
    }

    /// The items of a value, which must be a list.
    pub(crate) fn list<'n>(
        &mut self,
        field: Field<'_>,
        at: Span,
        node: &'n Node,
    ) -> Option<&'n [Node]> {
        let list = node.as_list();
        if list.is_none() {
            self.wrong_type(field, at, node, "a list");
        }
        list
    }

    /// The entries of a value, which must be a mapping.
    pub(crate) fn map<'n>(
        &mut self,
        field: Field<'_>,
        at: Span,
        node: &'n Node,
    ) -> Option<&'n Map> {
        let map = node.as_map();
        if map.is_none() {
            self.wrong_type(field, at, node, "a mapping");
        }
        map
    }

    /// The items of a list of texts, with their texts.
    pub(crate) fn texts<'n>(
        &mut self,
        field: Field<'_>,
        at: Span,
        node: &'n Node,
    ) -> Vec<(&'n Node, &'n str)> {
        let mut texts = Vec::new();
        for (index, item) in self.list(field, at, node).unwrap_or(&[]).iter().enumerate() {
            let field = field.index(index);
            if let Some(entry) = item.as_map().and_then(|map| map.entries().first()) {
                let message =
                    format!("`{field}` is a mapping with the key {}", quote(&entry.key.text));
                let fault = Fault::new(Code::WrongType, item.span(), message).expected("a text").hint(
                    "a `: ` makes YAML read a mapping: put the whole text into quotes, or below a `|`",
                );
                self.push(fault);
            } else if let Some(text) = self.text(field, item.span(), item) {
                texts.push((item, text));
            }
        }
        texts
    }

    /// A boolean.
    pub(crate) fn boolean(&mut self, field: Field<'_>, at: Span, node: &Node) -> Option<bool> {
        let value = node.as_scalar().and_then(Scalar::boolean);
        if value.is_none() {
            let hint = node.as_text().and_then(|text| match &*text.to_ascii_lowercase() {
                "true" | "yes" | "on" => Some(format!("write `{}`", field.assignment("true"))),
                "false" | "no" | "off" => Some(format!("write `{}`", field.assignment("false"))),
                _ => None,
            });
            self.wrong_type_with(field, at, node, "`true` or `false`", hint);
        }
        value
    }

    /// A whole number of at least `least`.
    pub(crate) fn whole_number(
        &mut self,
        code: Code,
        field: Field<'_>,
        (at, node): (Span, &Node),
        least: u64,
    ) -> Option<u64> {
        let number = node.as_scalar().and_then(Scalar::whole_number);
        let good = number.and_then(|number| u64::try_from(number).ok()).filter(|n| *n >= least);
        if good.is_none() {
            let message = match node.as_scalar() {
                Some(scalar) if number.is_some() => format!("`{field}` is {}", quote(&scalar.text)),
                Some(scalar) if scalar.core == Core::Null => format!("`{field}` is not set"),
                Some(scalar) if scalar.core == Core::Text => {
                    format!("`{field}` is the text {}", quote(&scalar.text))
                }
                Some(scalar) => format!("`{field}` is {}, not a whole number", quote(&scalar.text)),
                None => format!("`{field}` is {}, not a whole number", kind(node)),
            };
            let bare = node.as_text().is_some_and(|text| text.parse::<u64>().is_ok());
            let hint = node.as_text().filter(|_| bare);
            let fault = Fault::new(code, at, message)
                .expected(format!("a whole number, at least {least}"))
                .maybe_hint(hint.map(|text| format!("write `{}`", field.assignment(text))));
            self.push(fault);
        }
        good
    }

    /// Refuses the keys that are not in `known`.
    pub(crate) fn known_keys(&mut self, field: Field<'_>, map: &Map, known: &[&'static str]) {
        for Entry { key, .. } in map.entries() {
            if known.contains(&&*key.text) {
                continue;
            }
            let message = format!("`{field}` has no key {}", quote(&key.text));
            let near = nearest(&key.text, known.iter().copied());
            let fault = Fault::new(Code::UnknownKey, key.span, message)
                .expected(one_of(known))
                .maybe_hint(near.map(|name| format!("did you mean `{name}`?")));
            self.push(fault);
        }
    }

    /// The entry of a key that must be there; else a fault that points at `at`.
    pub(crate) fn required<'n>(
        &mut self,
        field: Field<'_>,
        map: &'n Map,
        key: &str,
        (at, hint): (Span, Option<&str>),
    ) -> Option<&'n Entry> {
        let entry = map.get(key);
        if entry.is_none() {
            let fault = Fault::new(Code::MissingField, at, format!("`{field}` has no `{key}`"))
                .expected(format!("`{key}`"))
                .maybe_hint(hint.map(str::to_owned));
            self.push(fault);
        }
        entry
    }

    pub(crate) fn wrong_type(
        &mut self,
        field: Field<'_>,
        at: Span,
        node: &Node,
        expected: &'static str,
    ) {
        self.wrong_type_with(field, at, node, expected, None);
    }

    fn wrong_type_with(
        &mut self,
        field: Field<'_>,
        at: Span,
        node: &Node,
        expected: &'static str,
        hint: Option<String>,
    ) {
        let hint = hint.or_else(|| {
            let one_for_list = expected == "a list" && node.as_text().is_some();
            one_for_list
                .then(|| format!("write the text as an item of a list: `{}: [\"…\"]`", last(field)))
        });
        let message = format!("`{field}` is {}", kind(node));
        self.push(Fault::new(Code::WrongType, at, message).expected(expected).maybe_hint(hint));
    }
}

fn last(field: Field<'_>) -> &str {
    match field.part {
        Part::Key(name) => name,
        Part::Index(_) => "-",
    }
}

fn not_a_string(field: Field<'_>, at: Span, scalar: &Scalar) -> Fault {
    let written = &scalar.text;
    let (message, hint) = if scalar.core == Core::Null {
        let empty = field.assignment("\"\"");
        (
            format!("`{field}` is not set to a text"),
            format!("write the text, or `{empty}` for an empty one"),
        )
    } else {
        let quoted = field.assignment(&format!("\"{written}\""));
        (format!("`{field}` is {}, not a text", scalar.core.name()), format!("write `{quoted}`"))
    };
    Fault::new(Code::NotAString, at, message).expected("a text in quotes").hint(hint)
}

/// What a value is, with its article.
pub(crate) fn kind(node: &Node) -> &'static str {
    match node.value() {
        Value::Scalar(scalar) => scalar.core.name(),
        Value::List(_) => "a list",
        Value::Map(_) => "a mapping",
    }
}

/// "`a`, `b` or `c`".
pub(crate) fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((only, _)) => only.clone(),
        None => String::from("nothing"),
    }
}
