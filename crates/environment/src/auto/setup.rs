//! `setup` and `setupCache`: commands of each session, what they may keep, and for how long.

use std::collections::HashMap;

use super::reader::Reader;
use crate::check::{Field, at};
use crate::fault::{Fault, quote};
use crate::yaml::{Entry, Node, Span};
use crate::{Cache, Code, Sourced, Text};

pub(super) const ENTRY_KEYS: &[&str] = &["name", "commands", "cache"];
pub(super) const CACHE_KEYS: &[&str] = &["key", "files", "paths"];
/// What `cache.paths` must lie under.
const HOME: &str = "/home/user";

/// One entry of `setup`.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) name: Sourced<String>,
    pub(super) commands: Vec<Text>,
    pub(super) cache: Option<Cache>,
}

pub(super) fn read(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Vec<Setup> {
    let items = reader.checks.list(field, at(entry), &entry.value).unwrap_or(&[]);
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut setups = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let field = field.index(index);
        if let Some(name) = item.as_map().and_then(|map| map.get("name")) {
            let text = name.value.as_text().unwrap_or_default().trim();
            if let Some(first) = names.insert(text, at(name)).filter(|_| !text.is_empty()) {
                let message = format!("two setup entries are named {}", quote(text));
                let fault = Fault::new(Code::DuplicateSetupName, at(name), message)
                    .expected("a name of its own for each entry")
                    .related(first, "first used here");
                reader.push(fault);
            }
        }
        setups.extend(setup(reader, field, item));
    }
    setups
}

fn setup(reader: &mut Reader<'_>, field: Field<'_>, item: &Node) -> Option<Setup> {
    let start = item.span();
    if item.as_text().is_some() {
        let message = format!("`{field}` is a text");
        let fault = Fault::new(Code::WrongType, start, message)
            .expected("a mapping with `name` and `commands`")
            .hint("write `- name: …` and below it `commands:` with this text as its item");
        reader.push(fault);
        return None;
    }
    let map = reader.checks.map(field, start, item)?;
    reader.checks.known_keys(field, map, ENTRY_KEYS);
    let name = reader.checks.required(
        field,
        map,
        "name",
        (start, Some("write `name: install`, or another short name")),
    );
    let name = name.and_then(|entry| reader.name(field.key("name"), entry));
    let commands = reader.checks.required(
        field,
        map,
        "commands",
        (start, Some("write `commands:` and below it one item for each command")),
    );
    let commands = commands.map(|entry| commands_of(reader, field.key("commands"), entry));
    let cache = map.get("cache").map(|entry| cache(reader, field.key("cache"), entry));
    Some(Setup { name: name?, commands: commands?, cache })
}

fn commands_of(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Vec<Text> {
    let texts = reader.checks.texts(field, at(entry), &entry.value);
    let written = entry.value.as_list().map_or(usize::MAX, <[Node]>::len);
    let is_empty = |text: &&str| text.trim().is_empty();
    let empty = texts.iter().filter(|(_, text)| is_empty(text)).count();
    if empty == written {
        let message = format!("`{field}` holds no command");
        let fault = Fault::new(Code::EmptyText, at(entry), message)
            .expected("at least one command that is not empty");
        reader.push(fault);
    } else {
        for (node, _) in texts.iter().filter(|(_, text)| is_empty(text)) {
            let fault = Fault::new(Code::EmptyCommand, node.span(), "the command is empty")
                .hint("remove the item");
            reader.push(fault);
        }
    }
    texts.iter().map(|(node, _)| reader.trace.text(node)).collect()
}

fn cache(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Cache {
    let mut cache = Cache::default();
    let Some(map) = reader.checks.map(field, at(entry), &entry.value) else { return cache };
    reader.checks.known_keys(field, map, CACHE_KEYS);
    cache.key = map.get("key").and_then(|entry| reader.name(field.key("key"), entry));
    if let Some(entry) = map.get("files") {
        cache.files = paths(reader, field.key("files"), entry, Code::CacheFile, file_fault);
    }
    if let Some(entry) = map.get("paths") {
        cache.paths = paths(reader, field.key("paths"), entry, Code::CachePath, path_fault);
    }
    cache
}

fn paths(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    entry: &Entry,
    code: Code,
    refused: fn(&str) -> Option<Refused>,
) -> Vec<Sourced<String>> {
    let mut paths = Vec::new();
    for (node, text) in reader.checks.texts(field, at(entry), &entry.value) {
        if let Some((what, hint)) = refused(text) {
            let expected = match code {
                Code::CacheFile => "a path relative to the working directory, without `..`",
                _ => "an absolute path under `/home/user`",
            };
            let fault = Fault::new(code, node.span(), format!("the path {} {what}", quote(text)))
                .expected(expected)
                .maybe_hint(hint);
            reader.push(fault);
        } else {
            paths.push(reader.trace.authored(text.to_owned(), node.span()));
        }
    }
    paths
}

/// What is wrong with a path, and what to write instead where that is clear.
type Refused = (&'static str, Option<String>);

fn file_fault(path: &str) -> Option<Refused> {
    if path.trim().is_empty() {
        return Some(("is empty", None));
    }
    if path.starts_with('/') {
        return Some(("is absolute", None));
    }
    if path.starts_with('~') {
        return Some(("starts with `~`", None));
    }
    let climbs = path.split(['/', '\\']).any(|part| part == "..");
    climbs.then_some(("holds `..`", None))
}

fn path_fault(path: &str) -> Option<Refused> {
    let below_home = |rest: &str| Some(format!("write `{HOME}{rest}`"));
    if let Some(rest) = path.strip_prefix('~').or_else(|| path.strip_prefix("$HOME")) {
        return Some(("is not absolute", below_home(rest)));
    }
    if !path.starts_with('/') {
        return Some(("is not absolute", None));
    }
    if path.split('/').any(|part| part == "..") {
        return Some(("holds `..`", None));
    }
    let below =
        path.strip_prefix(HOME).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if below {
        return None;
    }
    Some(("is not under `/home/user`", path.strip_prefix("/root").and_then(below_home)))
}

/// `setupCache.ttl` in seconds.
pub(super) fn ttl(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    entry: &Entry,
) -> Option<Sourced<u64>> {
    let start = at(entry);
    if entry.value.as_text().is_some() {
        let message = format!("`{field}` is a text");
        let fault = Fault::new(Code::WrongType, start, message)
            .expected("a mapping with `ttl`")
            .hint("write `setupCache: { ttl: 7d }`");
        reader.push(fault);
        return None;
    }
    let map = reader.checks.map(field, start, &entry.value)?;
    reader.checks.known_keys(field, map, &["ttl"]);
    let ttl =
        reader.checks.required(field, map, "ttl", (start, Some("write for example `ttl: 24h`")))?;
    let span = at(ttl);
    let field = field.key("ttl");
    let scalar = ttl.value.as_scalar().filter(|scalar| scalar.whole_number().is_some());
    if let Some(scalar) = scalar {
        let message = format!("`{field}` is {} without a unit", quote(&scalar.text));
        let fault = Fault::new(Code::InvalidTtl, span, message)
            .expected("a whole number and `s`, `m`, `h` or `d`")
            .hint(format!("write `ttl: {}s` if seconds are meant", scalar.text));
        reader.push(fault);
        return None;
    }
    let text = reader.checks.text(field, span, &ttl.value)?;
    let Some(seconds) = seconds(text) else {
        let fault = Fault::new(Code::InvalidTtl, span, format!("`{field}` is {}", quote(text)))
            .expected("a whole number without leading zero, and `s`, `m`, `h` or `d`")
            .hint("write for example `30m`, `24h` or `7d`");
        reader.push(fault);
        return None;
    };
    Some(reader.trace.authored(seconds, span))
}

/// `[1-9][0-9]*(s|m|h|d)`; what does not fit counts as for ever.
fn seconds(text: &str) -> Option<u64> {
    let unit = match text.as_bytes().last()? {
        b's' => 1,
        b'm' => 60,
        b'h' => 3_600,
        b'd' => 86_400,
        _ => return None,
    };
    let digits = &text[..text.len() - 1];
    let good = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty();
    if !good || digits.starts_with('0') {
        return None;
    }
    Some(digits.parse::<u64>().map_or(u64::MAX, |count| count.saturating_mul(unit)))
}
