//! `mounts`: the repositories that a session starts with.

use super::reader::Reader;
use crate::check::{Field, at, one_of};
use crate::fault::{Fault, nearest, quote};
use crate::yaml::{Entry, Map, Node};
use crate::{Checkout, Code, Sourced};

pub(super) const KEYS: &[&str] =
    &["kind", "repository", "mountPath", "ref", "depth", "auth", "commitAuthor"];
const CAPABILITIES: &[&str] =
    &["contents", "pullRequests", "issues", "checks", "actions", "workflows", "secrets"];
const LEVELS: &[&str] = &["none", "read", "write"];

pub(super) fn read(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Vec<Checkout> {
    let items = reader.checks.list(field, at(entry), &entry.value).unwrap_or(&[]);
    let mounts = items.iter().enumerate();
    mounts.filter_map(|(index, item)| mount(reader, field.index(index), item)).collect()
}

fn mount(reader: &mut Reader<'_>, field: Field<'_>, item: &Node) -> Option<Checkout> {
    let map = reader.checks.map(field, item.span(), item)?;
    reader.unknown_keys_nearby(field, map, KEYS);
    for key in ["kind", "repository", "mountPath"] {
        if map.get(key).is_none() {
            let message = format!("`{field}` has no `{key}`");
            let fault = Fault::new(Code::InvalidMount, item.span(), message)
                .expected("`kind: git`, `repository` and `mountPath`");
            reader.push(fault);
        }
    }
    if let Some(entry) = map.get("kind") {
        reader.word(Code::InvalidMount, field.key("kind"), entry, &["git"]);
    }
    if let Some(entry) = map.get("depth") {
        let field = field.key("depth");
        reader.checks.whole_number(Code::InvalidMount, field, (at(entry), &entry.value), 0);
    }
    if let Some(entry) = map.get("auth") {
        auth(reader, field.key("auth"), entry);
    }
    let repository = map.get("repository").and_then(|entry| {
        let expected = "`owner/name`";
        checked(reader, field.key("repository"), entry, expected, is_repository)
    });
    let path = map.get("mountPath").and_then(|entry| {
        let expected = "an absolute path without `..`";
        checked(reader, field.key("mountPath"), entry, expected, is_clean_absolute)
    });
    let reference = map.get("ref").and_then(|entry| {
        let expected = "a branch or `refs/…`; tokens are written `{{payload.…}}`";
        checked(reader, field.key("ref"), entry, expected, is_git_ref)
    });
    Some(Checkout { repository: repository?, path: path?, reference })
}

/// A trimmed text that passes a test.
fn checked(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    entry: &Entry,
    expected: &'static str,
    test: fn(&str) -> bool,
) -> Option<Sourced<String>> {
    let span = at(entry);
    let text = reader.checks.text(field, span, &entry.value)?.trim();
    if test(text) {
        return Some(reader.trace.authored(text.to_owned(), span));
    }
    let fault = Fault::new(Code::InvalidMount, span, format!("`{field}` is {}", quote(text)))
        .expected(expected)
        .maybe_hint(repository_of_url(text).map(|name| format!("write `{name}`")));
    reader.push(fault);
    None
}

/// A token that only the platform can fill.
fn is_template(text: &str) -> bool {
    text.contains("{{") && text.contains("}}")
}

fn is_repository(text: &str) -> bool {
    let word = |part: &str| {
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        !part.is_empty() && part.bytes().all(inner) && !matches!(part, "." | "..")
    };
    is_template(text) || text.split_once('/').is_some_and(|(owner, name)| word(owner) && word(name))
}

/// `owner/name` out of a clone URL.
fn repository_of_url(text: &str) -> Option<String> {
    let rest =
        text.split_once("://").map(|(_, rest)| rest).or_else(|| text.strip_prefix("git@"))?;
    let (_, path) = rest.split_once(['/', ':'])?;
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    is_repository(path).then(|| path.to_owned())
}

pub(super) fn is_clean_absolute(path: &str) -> bool {
    path.starts_with('/')
        && !path.chars().any(char::is_control)
        && path.split('/').all(|part| part != "..")
}

fn is_git_ref(text: &str) -> bool {
    let plain = |part: &str| {
        !part
            .chars()
            .any(|c| c.is_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\'))
    };
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((token, after)) = after.split_once("}}") else { return false };
        let token = token.trim();
        if !plain(before) || !(token.starts_with("payload.") || token.starts_with('$')) {
            return false;
        }
        rest = after;
    }
    plain(rest) && !text.is_empty() && !text.starts_with('-') && !text.contains("..")
}

fn auth(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) {
    let Some(map) = reader.checks.map(field, at(entry), &entry.value) else { return };
    reader.unknown_keys_nearby(field, map, &["kind", "capabilities"]);
    if let Some(entry) = map.get("kind") {
        reader.word(Code::InvalidMount, field.key("kind"), entry, &["githubApp"]);
    }
    let Some(entry) = map.get("capabilities") else { return };
    let field = field.key("capabilities");
    let Some(map) = reader.checks.map(field, at(entry), &entry.value) else { return };
    reader.unknown_keys_nearby(field, map, CAPABILITIES);
    for entry in map.entries() {
        reader.word(Code::InvalidMount, field.key(&entry.key.text), entry, LEVELS);
    }
}

impl Reader<'_> {
    /// Notes keys that are nearly, but not quite, one of `known`. Others may be right: the list is
    /// not fully published.
    pub(super) fn unknown_keys_nearby(
        &mut self,
        field: Field<'_>,
        map: &Map,
        known: &[&'static str],
    ) {
        for Entry { key, .. } in map.entries() {
            if known.contains(&&*key.text) || key.text.len() < 4 {
                continue;
            }
            if let Some(near) = nearest(&key.text, known.iter().copied()) {
                let message =
                    format!("`{field}` has the key {}, which is not known", quote(&key.text));
                let fault = Fault::new(Code::MisspelledKey, key.span, message)
                    .expected(one_of(known))
                    .hint(format!("did you mean `{near}`?"));
                self.push(fault);
            }
        }
    }
}
