//! `image`: a preset's name, or one image reference.

use std::ops::Range;

use super::pages::REFERENCE;
use super::presets::PRESETS;
use super::reader::Reader;
use crate::check::{Field, at, one_of};
use crate::fault::{Fault, nearest, quote};
use crate::yaml::{Entry, Map, Span};
use crate::{Base, Basis, Code, ImageRef, ImageRefFault, Sourced};

const PRESET_KEYS: &[&str] = &["kind", "name"];
const BASE_KEYS: &[&str] = &["kind", "ref"];
const SHAPES: &str = "`{ kind: preset, name: … }` or `{ kind: base, ref: … }`";
/// The longest reference, in characters after trimming (field reference).
const MAX_REFERENCE: usize = 512;

pub(super) fn read(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Option<Base> {
    let start = at(entry);
    if let Some(text) = entry.value.as_text() {
        let message = format!("`{field}` is the text {}", quote(text));
        let hint = if PRESETS.iter().any(|preset| preset.name == text) {
            format!("write `image: {{ kind: preset, name: {text} }}`")
        } else {
            format!("write `image: {{ kind: base, ref: {} }}`", one_line(text))
        };
        reader.push(Fault::new(Code::ImageShape, start, message).expected(SHAPES).hint(hint));
        return None;
    }
    let map = reader.checks.map(field, start, &entry.value)?;
    let Some(kind_entry) = map.get("kind") else {
        reader.push(without_kind(field, map, start));
        return None;
    };
    let kind = reader.checks.text(field.key("kind"), at(kind_entry), &kind_entry.value)?;
    match kind {
        "preset" => {
            strict(reader, field, map, "preset", PRESET_KEYS);
            let name = needed(reader, field, map, "name", start)?;
            preset(reader, field.key("name"), name)
        }
        "base" => {
            strict(reader, field, map, "base", BASE_KEYS);
            let reference = needed(reader, field, map, "ref", start)?;
            base(reader, field.key("ref"), reference)
        }
        other => {
            let message = format!("`{field}.kind` is {}", quote(other));
            let near = nearest(other, ["preset", "base"]);
            let fault = Fault::new(Code::ImageShape, at(kind_entry), message)
                .expected("`preset` or `base`")
                .maybe_hint(near.map(|near| format!("did you mean `{near}`?")));
            reader.push(fault);
            None
        }
    }
}

fn without_kind(field: Field<'_>, map: &Map, start: Span) -> Fault {
    let hint = match (map.get("name"), map.get("ref")) {
        (Some(_), None) => Some(String::from("add `kind: preset`")),
        (None, Some(_)) => Some(String::from("add `kind: base`")),
        (Some(_), Some(_)) => {
            Some(String::from("keep `name` with `kind: preset`, or `ref` with `kind: base`"))
        }
        (None, None) => None,
    };
    Fault::new(Code::ImageShape, start, format!("`{field}` has no `kind`"))
        .expected(SHAPES)
        .maybe_hint(hint)
}

/// Refuses whatever does not belong to the shape that `kind` chose.
fn strict(reader: &mut Reader<'_>, field: Field<'_>, map: &Map, kind: &str, keys: &[&'static str]) {
    for Entry { key, .. } in map.entries() {
        if keys.contains(&&*key.text) {
            continue;
        }
        let message = format!("`{field}` of kind `{kind}` has no key {}", quote(&key.text));
        let (code, hint) = match &*key.text {
            "ref" => (Code::ImageShape, Some(String::from("a `ref` belongs to `kind: base`"))),
            "name" => (Code::ImageShape, Some(String::from("a `name` belongs to `kind: preset`"))),
            other => {
                let near = nearest(other, keys.iter().copied());
                (Code::UnknownKey, near.map(|near| format!("did you mean `{near}`?")))
            }
        };
        reader.push(Fault::new(code, key.span, message).expected(one_of(keys)).maybe_hint(hint));
    }
}

fn needed<'n>(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    map: &'n Map,
    key: &'static str,
    start: Span,
) -> Option<&'n Entry> {
    let entry = map.get(key);
    if entry.is_none() {
        let message = format!("`{field}` has no `{key}`");
        reader.push(Fault::new(Code::ImageShape, start, message).expected(SHAPES));
    }
    entry
}

fn preset(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Option<Base> {
    let span = at(entry);
    let name = reader.checks.text(field, span, &entry.value)?;
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) else {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if name
                .parse::<ImageRef>()
                .is_ok_and(|name| name.as_str().contains([':', '/', '@'])) =>
            {
                Some(format!("an image is named with `kind: base` and `ref: {name}`"))
            }
            None => None,
        };
        let message = format!("Unknown runtime preset {}", quote(name));
        let fault = Fault::new(Code::UnknownPreset, span, message)
            .expected(one_of(&names))
            .maybe_hint(hint);
        reader.push(fault);
        return None;
    };
    let basis = Basis::DocumentedDefault { source: REFERENCE.into() };
    let value = preset.reference.parse().ok()?;
    Some(Base::Preset {
        name: reader.trace.authored(name.to_owned(), span),
        reference: Sourced { value, basis },
    })
}

fn base(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Option<Base> {
    let span = at(entry);
    let written = reader.checks.text(field, span, &entry.value)?;
    let before = written.len() - written.trim_start().len();
    match reference(written.trim()) {
        Ok(value) => Some(Base::Image { reference: reader.trace.authored(value, span) }),
        Err(Refusal { message, part, expected, hint }) => {
            let part = part.start + before..part.end + before;
            let at = reader.trace.span_of(&entry.value, part).unwrap_or(span);
            let fault =
                Fault::new(Code::ImageReference, at, message).expected(expected).maybe_hint(hint);
            reader.push(fault);
            None
        }
    }
}

struct Refusal {
    message: String,
    /// The part of the trimmed text that is meant, in bytes.
    part: Range<usize>,
    expected: &'static str,
    hint: Option<String>,
}

/// The platform's own rules first, then the grammar of references.
fn reference(text: &str) -> Result<ImageRef, Refusal> {
    let refuse = |what: &str, hint: Option<&str>| {
        let message = format!("the reference {} {what}", quote(text));
        let expected = "one image reference of 1 to 512 characters";
        Err(Refusal { message, part: 0..text.len(), expected, hint: hint.map(str::to_owned) })
    };
    if text.starts_with('-') {
        return refuse("starts with `-`", None);
    }
    if text.chars().any(char::is_whitespace) {
        let hint = if text.to_ascii_lowercase().starts_with("from ") {
            "write the reference alone, without `FROM`"
        } else {
            "a stage name or an option cannot be given: one reference, nothing else"
        };
        return refuse("holds white space", Some(hint));
    }
    if text.contains('#') {
        return refuse("holds `#`", None);
    }
    if text.contains('\\') {
        return refuse("holds `\\`", None);
    }
    if text.chars().count() > MAX_REFERENCE {
        return refuse("is longer than 512 characters", None);
    }
    text.parse::<ImageRef>().map_err(|error| {
        let part = &text[error.span.clone()];
        let message = match error.kind {
            ImageRefFault::Empty => String::from("the reference is empty"),
            ImageRefFault::Uppercase => {
                format!("the repository name {} holds an upper-case letter", quote(part))
            }
            ImageRefFault::EmptyComponent => {
                format!("the reference {} has an empty part", quote(text))
            }
            _ if part == text || part.is_empty() => {
                format!("{} is not an image reference", quote(text))
            }
            _ => format!("{} is wrong in the reference {}", quote(part), quote(text)),
        };
        let expected = error.kind.expected();
        Refusal { message, part: error.span, expected, hint: advice(text, error.kind) }
    })
}

fn advice(text: &str, kind: ImageRefFault) -> Option<String> {
    if let Some((_, rest)) = text.split_once("://") {
        return Some(format!("leave the scheme out: `{}`", one_line(rest)));
    }
    match kind {
        ImageRefFault::Uppercase => {
            let lower = lower_repository(text);
            lower.parse::<ImageRef>().is_ok().then(|| format!("write `{lower}`"))
        }
        ImageRefFault::DigestValue => Some(String::from(
            "copy the digest whole: `docker image inspect` and registries show it",
        )),
        ImageRefFault::BareId => Some(String::from("name the repository: `name@sha256:…`")),
        _ if text.contains("${") || text.contains('$') => {
            Some(String::from("variables are not expanded here: write the reference itself"))
        }
        _ => None,
    }
}

/// The reference with its name in lower case; tag and digest stay.
fn lower_repository(text: &str) -> String {
    let name_end = text.find('@').unwrap_or(text.len());
    let after_slash = text[..name_end].rfind('/').map_or(0, |at| at + 1);
    let tag = text[after_slash..name_end].find(':').map_or(name_end, |at| after_slash + at);
    format!("{}{}", text[..tag].to_lowercase(), &text[tag..])
}

fn one_line(text: &str) -> String {
    text.split_whitespace().next().unwrap_or("debian:bookworm").chars().take(80).collect()
}
