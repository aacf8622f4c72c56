//! The inline environment of an agent, after imports are merged.

use std::collections::BTreeMap;

use super::agent;
use super::reader::Reader;
use super::setup::{self, Setup};
use super::{image, variables};
use crate::check::{Field, at, one_of};
use crate::fault::{Fault, nearest, quote};
use crate::yaml::{Entry, Map, Node, Span};
use crate::{Base, Code, Sourced, Text, Variable, VariableLayer};

/// The keys of an environment. The name of the approval posture is lost in the published text, which
/// calls the topic "approvals": any key that begins so is taken for it.
pub(super) const KEYS: &[&str] = &[
    "name",
    "labels",
    "annotations",
    "image",
    "steps",
    "setup",
    "setupCache",
    "resources",
    "env",
    "approvals",
];
pub(super) const RESOURCE_KEYS: &[&str] = &["cpuCount", "memoryMB"];
const POSTURES: &[&str] = &["bypass", "prompt"];

/// A checked environment: what its author wrote, and nothing else.
#[derive(Clone, Debug)]
pub(super) struct Environment {
    pub(super) name: Sourced<String>,
    pub(super) labels: BTreeMap<String, Sourced<String>>,
    pub(super) annotations: BTreeMap<String, Sourced<String>>,
    pub(super) base: Base,
    pub(super) steps: Vec<Text>,
    pub(super) setup: Vec<Setup>,
    /// Where `setup` stands, if it has entries.
    pub(super) setup_at: Option<Span>,
    pub(super) ttl: Option<Sourced<u64>>,
    pub(super) cpus: Option<Sourced<u64>>,
    pub(super) memory: Option<Sourced<u64>>,
    pub(super) variables: Vec<Variable>,
    /// The authored key and value of the approval posture.
    pub(super) approval: Option<(String, &'static str)>,
    /// As it was merged, to compare it with others of its name.
    pub(super) node: Node,
}

/// Reads an inline environment. `complete` is false when an import is missing: then what is not there
/// is no fault. `None` when something required is missing or wrong; then there is a fault.
pub(super) fn read(reader: &mut Reader<'_>, entry: &Entry, complete: bool) -> Option<Environment> {
    let field = Field::root("environment");
    let start = at(entry);
    let map = reader.checks.map(field, start, &entry.value)?;
    known_keys(reader, field, map);
    if complete {
        let here = |hint| (entry.key.span, Some(hint));
        reader.checks.required(field, map, "name", here("give the environment a name of its own"));
        let image =
            here("write `image: { kind: base, ref: … }` or `image: { kind: preset, name: … }`");
        reader.checks.required(field, map, "image", image);
    }
    let name = map.get("name").and_then(|entry| reader.name(field.key("name"), entry));
    let base = map.get("image").and_then(|entry| image::read(reader, field.key("image"), entry));
    let mut strings = |key| map.get(key).map(|entry| strings(reader, field.key(key), entry));
    let labels = strings("labels").unwrap_or_default();
    let annotations = strings("annotations").unwrap_or_default();
    let steps = map.get("steps").map(|entry| steps(reader, field.key("steps"), entry));
    let setup = map.get("setup").map(|entry| setup::read(reader, field.key("setup"), entry));
    let setup = setup.unwrap_or_default();
    let ttl =
        map.get("setupCache").and_then(|entry| setup::ttl(reader, field.key("setupCache"), entry));
    let (cpus, memory) = map
        .get("resources")
        .map(|entry| resources(reader, field.key("resources"), entry))
        .unwrap_or_default();
    let variables = map
        .get("env")
        .map(|entry| variables::read(reader, field.key("env"), entry, VariableLayer::Environment));
    let approval = map.entries().iter().find(|entry| is_approval(&entry.key.text));
    let approval = approval.and_then(|entry| {
        let field = field.key(&entry.key.text);
        let word = reader.word(Code::InvalidApproval, field, entry, POSTURES)?;
        Some((entry.key.text.to_string(), word))
    });
    Some(Environment {
        name: name?,
        labels,
        annotations,
        base: base?,
        steps: steps.unwrap_or_default(),
        setup_at: map.get("setup").filter(|_| !setup.is_empty()).map(|entry| entry.key.span),
        setup,
        ttl,
        cpus,
        memory,
        variables: variables.unwrap_or_default(),
        approval,
        node: entry.value.clone(),
    })
}

fn is_approval(key: &str) -> bool {
    key.len() <= 40 && key.to_ascii_lowercase().starts_with("approval")
}

fn known_keys(reader: &mut Reader<'_>, field: Field<'_>, map: &Map) {
    for Entry { key, .. } in map.entries() {
        if KEYS.contains(&&*key.text) || is_approval(&key.text) {
            continue;
        }
        let message = format!("`{field}` has no key {}", quote(&key.text));
        let hint = if agent::KEYS.contains(&&*key.text) {
            Some(format!("`{}` belongs to the agent: write it beside `environment`", key.text))
        } else {
            nearest(&key.text, KEYS.iter().copied()).map(|near| format!("did you mean `{near}`?"))
        };
        let fault =
            Fault::new(Code::UnknownKey, key.span, message).expected(one_of(KEYS)).maybe_hint(hint);
        reader.push(fault);
    }
}

/// A mapping from text to text.
fn strings(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    entry: &Entry,
) -> BTreeMap<String, Sourced<String>> {
    let Some(map) = reader.checks.map(field, at(entry), &entry.value) else {
        return BTreeMap::new();
    };
    let mut strings = BTreeMap::new();
    for entry in map.entries() {
        let span = at(entry);
        if let Some(text) = reader.checks.text(field.key(&entry.key.text), span, &entry.value) {
            let text = reader.trace.authored(text.to_owned(), span);
            strings.insert(entry.key.text.to_string(), text);
        }
    }
    strings
}

fn steps(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> Vec<Text> {
    let mut steps = Vec::new();
    for (node, text) in reader.checks.texts(field, at(entry), &entry.value) {
        if text.trim().is_empty() {
            let fault = Fault::new(Code::EmptyText, node.span(), "the step is empty")
                .expected("one Dockerfile instruction, such as `RUN …`");
            reader.push(fault);
        } else {
            steps.push(reader.trace.text(node));
        }
    }
    steps
}

type Number = Option<Sourced<u64>>;

fn resources(reader: &mut Reader<'_>, field: Field<'_>, entry: &Entry) -> (Number, Number) {
    let start = at(entry);
    let Some(map) = reader.checks.map(field, start, &entry.value) else { return (None, None) };
    reader.checks.known_keys(field, map, RESOURCE_KEYS);
    if map.entries().is_empty() {
        let fault = Fault::new(Code::InvalidResources, start, format!("`{field}` is empty"))
            .expected("`cpuCount`, `memoryMB` or both")
            .hint("write one of them, or remove `resources`");
        reader.push(fault);
    }
    let mut number = |key, least| {
        let entry = map.get(key)?;
        let (field, span) = (field.key(key), at(entry));
        let code = Code::InvalidResources;
        let number = reader.checks.whole_number(code, field, (span, &entry.value), least)?;
        Some(reader.trace.authored(number, span))
    };
    (number("cpuCount", 1), number("memoryMB", 128))
}
