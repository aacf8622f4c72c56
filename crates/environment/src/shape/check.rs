//! A value against its shape: every fault with its place, and what to write instead.

use super::{Field, Object, Others, Shape, Standing, Texts, Word};
use crate::Code;
use crate::check::{self, Checks, at, kind, one_of};
use crate::fault::{Fault, nearest, quote};
use crate::yaml::{Entry, Map, Node, Span, Value};

/// Checks a mapping against its fields. `whole` is the whole definition's fields, for advice on misplaced keys.
pub(crate) fn object(
    checks: &mut Checks,
    name: check::Field<'_>,
    (place, node): (Span, &Node),
    object: &'static Object,
    whole: &'static Object,
) {
    let Some(map) = checks.map(name, place, node) else { return };
    fields(checks, name, (place, map), object, whole);
}

/// The same for a mapping that is already known to be one.
pub(crate) fn fields(
    checks: &mut Checks,
    name: check::Field<'_>,
    (place, map): (Span, &Map),
    object: &'static Object,
    whole: &'static Object,
) {
    for entry in map.entries() {
        let Some(field) = object.field(&entry.key.text) else {
            checks.push(unknown(name, entry, object, whole));
            continue;
        };
        let name = name.key(field.name);
        match field.standing {
            Standing::Refused { generation, instead } => {
                let message = format!("`{name}` belongs to {generation}");
                let fault = Fault::new(Code::OtherGeneration, entry.key.span, message);
                checks.push(fault.hint(instead));
                continue;
            }
            Standing::Alias { of, generation } => {
                checks.push(alias(entry.key.span, field.name, of, generation));
            }
            Standing::Current => {}
        }
        if field.required || !entry.value.is_null() {
            value(checks, name, (at(entry), &entry.value), &field.shape, whole);
        }
    }
    for field in object.fields.iter().filter(|field| field.required) {
        if map.get(field.name).is_none() {
            let message = format!("`{name}` has no `{}`", field.name);
            let fault = Fault::new(Code::MissingField, place, message)
                .expected(format!("`{}`: {}", field.name, field.what));
            checks.push(fault);
        }
    }
}

fn value(
    checks: &mut Checks,
    name: check::Field<'_>,
    (place, node): (Span, &Node),
    shape: &'static Shape,
    whole: &'static Object,
) {
    match shape {
        Shape::Text(texts) => text(checks, name, (place, node), texts),
        Shape::Word(words) => word(checks, name, (place, node), words),
        Shape::Flag => {
            checks.boolean(name, place, node);
        }
        Shape::Whole { least, most } => {
            let number = checks.whole_number(Code::OutOfRange, name, (place, node), *least);
            if let Some(number) = number.filter(|number| number > most) {
                let fault = Fault::new(Code::OutOfRange, place, format!("`{name}` is {number}"));
                checks.push(fault.expected(format!("a whole number from {least} to {most}")));
            }
        }
        Shape::Measure(expected) => {
            if !matches!(node.value(), Value::Scalar(_)) || node.is_null() {
                checks.wrong_type(name, place, node, expected);
            }
        }
        Shape::List { item, least, most } => {
            let Some(items) = checks.list(name, place, node) else { return };
            if items.len() < *least || items.len() > *most {
                let message = format!("`{name}` has {} items", items.len());
                let fault = Fault::new(Code::OutOfRange, place, message);
                checks.push(fault.expected(count(*least, *most)));
            }
            for (index, node) in items.iter().enumerate() {
                value(checks, name.index(index), (node.span(), node), item, whole);
            }
        }
        Shape::Object(inner) => object(checks, name, (place, node), inner, whole),
        Shape::Names(item) => {
            let Some(map) = checks.map(name, place, node) else { return };
            for entry in map.entries() {
                value(checks, name.key(&entry.key.text), (at(entry), &entry.value), item, whole);
            }
        }
        Shape::Either(shapes) => match shapes.iter().find(|shape| takes(shape, node)) {
            Some(shape) => value(checks, name, (place, node), shape, whole),
            None => {
                let message = format!("`{name}` is {}", kind(node));
                let expected: Vec<&str> =
                    shapes.iter().filter(|shape| !is_former(shape)).map(named).collect();
                let fault = Fault::new(Code::WrongType, place, message);
                checks.push(fault.expected(expected.join(", or ")));
            }
        },
        Shape::Former { code, what, instead, .. } => {
            let message = format!("`{name}` is {what}");
            checks.push(Fault::new(*code, place, message).expected("a mapping").hint(*instead));
        }
        Shape::Anything => {}
    }
}

fn text(
    checks: &mut Checks,
    name: check::Field<'_>,
    (place, node): (Span, &Node),
    texts: &'static Texts,
) {
    let Some(text) = checks.text(name, place, node) else { return };
    let length = text.chars().count();
    if text.trim().chars().count() < texts.least {
        let fault = Fault::new(Code::EmptyText, place, format!("`{name}` is empty"));
        checks.push(fault.expected("a text that says something"));
    } else if length > texts.most {
        let message = format!("`{name}` has {length} characters");
        let fault = Fault::new(Code::TextTooLong, place, message);
        checks.push(fault.expected(format!("at most {} characters", texts.most)));
    } else if let Some((grammar, expected)) = texts.grammar
        && !grammar(text)
    {
        let message = format!("`{name}` is {}", quote(text));
        checks.push(Fault::new(Code::InvalidValue, place, message).expected(expected));
    }
}

fn word(
    checks: &mut Checks,
    name: check::Field<'_>,
    (place, node): (Span, &Node),
    words: &'static [Word],
) {
    let Some(text) = checks.text(name, place, node) else { return };
    let current = || words.iter().filter(|word| matches!(word.standing, Standing::Current));
    let names: Vec<&str> = current().map(|word| word.name).collect();
    match words.iter().find(|word| word.name == text).map(|word| word.standing) {
        Some(Standing::Current) => {}
        Some(Standing::Alias { of, generation }) => {
            checks.push(alias(place, text, of, generation));
        }
        Some(Standing::Refused { generation, instead }) => {
            let message = format!("`{name}: {text}` belongs to {generation}");
            let fault = Fault::new(Code::OtherGeneration, place, message);
            checks.push(fault.expected(one_of(&names)).hint(instead));
        }
        None => {
            let near = nearest(text, names.iter().copied());
            let message = format!("`{name}` is {}", quote(text));
            let fault = Fault::new(Code::InvalidValue, place, message)
                .expected(one_of(&names))
                .maybe_hint(near.map(|near| format!("did you mean `{near}`?")));
            checks.push(fault);
        }
    }
}

fn alias(place: Span, written: &str, of: &str, generation: &str) -> Fault {
    let message = format!("`{written}` is what {generation} writes; taken as `{of}`");
    Fault::new(Code::OtherWord, place, message).hint(format!("write `{of}`"))
}

/// A key that no field has: refused or unpublished, and where it may belong.
fn unknown(
    name: check::Field<'_>,
    entry: &Entry,
    object: &'static Object,
    whole: &'static Object,
) -> Fault {
    let key = &*entry.key.text;
    let current = object.fields.iter().filter(|field| is_current(field));
    let names: Vec<&str> = current.map(|field| field.name).collect();
    let near = nearest(key, names.iter().copied()).map(|near| format!("did you mean `{near}`?"));
    let elsewhere =
        || super::rows::path_of(whole, key).map(|path| format!("it belongs at `{path}`"));
    let message = format!("`{name}` has no key {}", quote(key));
    let code = match object.others {
        Others::Refused => Code::UnknownKey,
        Others::Unpublished => Code::UnpublishedKey,
    };
    let expected = one_of(&names);
    Fault::new(code, entry.key.span, message).expected(expected).maybe_hint(near.or_else(elsewhere))
}

fn is_current(field: &Field) -> bool {
    matches!(field.standing, Standing::Current)
}

/// Whether a value is of the shape's kind.
fn takes(shape: &Shape, node: &Node) -> bool {
    match shape {
        Shape::Text(_) | Shape::Word(_) => {
            matches!(node.value(), Value::Scalar(_)) && !node.is_null()
        }
        Shape::Measure(_) | Shape::Flag | Shape::Whole { .. } => {
            matches!(node.value(), Value::Scalar(_)) && !node.is_null()
        }
        Shape::List { .. } | Shape::Former { list: true, .. } => node.as_list().is_some(),
        Shape::Former { list: false, .. } => node.as_text().is_some(),
        Shape::Object(_) | Shape::Names(_) => node.as_map().is_some(),
        Shape::Either(shapes) => shapes.iter().any(|shape| takes(shape, node)),
        Shape::Anything => true,
    }
}

pub(super) fn is_former(shape: &Shape) -> bool {
    matches!(shape, Shape::Former { .. })
}

fn named(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text(_) => "a text",
        Shape::Word(_) => "a word",
        Shape::Flag => "`true` or `false`",
        Shape::Whole { .. } => "a whole number",
        Shape::Measure(grammar) => grammar,
        Shape::List { .. } => "a list",
        Shape::Object(_) | Shape::Names(_) => "a mapping",
        Shape::Former { .. } | Shape::Either(_) | Shape::Anything => "a value",
    }
}

fn count(least: usize, most: usize) -> String {
    match (least, most) {
        (least, usize::MAX) => format!("at least {least}"),
        (0, most) => format!("at most {most}"),
        (least, most) => format!("{least} to {most}"),
    }
}
