//! One agent: its fields after all imports are merged.

use std::collections::BTreeMap;

use super::environment::{self, Environment};
use super::imports::{Chain, Graph};
use super::reader::Reader;
use super::{mounts, template, variables};
use crate::check::{Field, at, one_of};
use crate::fault::{Fault, nearest, quote};
use crate::files::Files;
use crate::trace::Trace;
use crate::yaml::{Entry, FileId, Map, Node, Span};
use crate::{Checkout, Code, Sourced, Variable, VariableLayer};

/// The keys of an agent that its published pages and examples show. The list is not complete.
pub(super) const KEYS: &[&str] = &[
    "name",
    "harness",
    "environment",
    "imports",
    "variables",
    "remove",
    "env",
    "mounts",
    "workingDirectory",
    "systemPrompt",
    "initialPrompt",
    "triggers",
    "tools",
    "identity",
    "model",
    "labels",
    "annotations",
    "description",
    "concurrency",
    "replace",
    "onReplace",
    "manages",
];
/// What lands in a section of the resolved environment; everything else is kept as an extension.
const MODELLED: &[&str] = &["name", "environment", "env", "workingDirectory", "variables"];
const HARNESSES: &[&str] = &["claude-code", "codex"];
/// The longest prompts, in characters.
const PROMPTS: &[(&str, usize)] = &[("systemPrompt", 100_000), ("initialPrompt", 20_000)];

/// An agent with everything that was found about it.
pub(super) struct Agent<'f> {
    pub(super) file: FileId,
    pub(super) trace: Trace<'f>,
    /// What was found in the merged whole; what was found in its files is kept with those.
    pub(super) faults: Vec<Fault>,
    pub(super) name: Option<Sourced<String>>,
    pub(super) name_at: Option<Span>,
    pub(super) environment: Choice,
    /// The name of an inline environment, and where it stands, even if the rest of it is broken.
    pub(super) declared: Option<(String, Span)>,
    pub(super) checkouts: Vec<Checkout>,
    pub(super) workdir: Option<Workdir>,
    pub(super) variables: Vec<Variable>,
    /// The fields that have no meaning here.
    pub(super) extensions: BTreeMap<String, Node>,
    /// Whether a file of its chain has an error of its own.
    broken_files: bool,
    /// Whether its files could not be made into one value.
    unreadable: bool,
}

/// What `environment` says.
pub(super) enum Choice {
    /// Nothing usable; a fault says why.
    None,
    /// An environment of its own.
    Inline(Box<Environment>),
    /// The name of another agent's environment.
    Named(Sourced<String>, Span),
}

/// An authored `workingDirectory`.
pub(super) struct Workdir {
    pub(super) path: Sourced<String>,
    pub(super) at: Span,
}

impl<'f> Agent<'f> {
    /// Merges and reads the agent of a file that `graph` has loaded.
    pub(super) fn compile(files: &'f Files<'f>, graph: &Graph, file: FileId) -> Self {
        let mut agent = Self::unread(files, graph, file);
        if let Some(part) = graph.part(file)
            && let Some(merged) = &part.merged
        {
            agent.unreadable = !part.complete;
            agent.read(merged, part.complete);
        }
        agent
    }

    /// An agent that is not read, for the reason that `fault` gives.
    pub(super) fn refused(files: &'f Files<'f>, graph: &Graph, file: FileId, fault: Fault) -> Self {
        let mut agent = Self::unread(files, graph, file);
        agent.faults.push(fault);
        agent
    }

    fn unread(files: &'f Files<'f>, graph: &Graph, file: FileId) -> Self {
        let Chain { order, via } = graph.chain(file);
        let broken_files = order.iter().any(|id| graph.faults(files, *id).any(Fault::is_error));
        Self {
            file,
            trace: Trace::new(files, order, via),
            broken_files,
            faults: Vec::new(),
            name: None,
            name_at: None,
            environment: Choice::None,
            declared: None,
            checkouts: Vec::new(),
            workdir: None,
            variables: Vec::new(),
            extensions: BTreeMap::new(),
            unreadable: true,
        }
    }

    /// The name of the environment that it defines or uses.
    pub(super) fn environment_name(&self) -> Option<&str> {
        match &self.environment {
            Choice::Inline(environment) => Some(&environment.name.value),
            Choice::Named(name, _) => Some(&name.value),
            Choice::None => self.declared.as_ref().map(|(name, _)| name.as_str()),
        }
    }

    /// Whether its files could not be made into one value, so that nobody knows what it defines.
    pub(super) fn is_unreadable(&self) -> bool {
        self.unreadable
    }

    /// Whether anything found about it is an error.
    pub(super) fn is_broken(&self) -> bool {
        self.broken_files || self.faults.iter().any(Fault::is_error)
    }

    fn read(&mut self, merged: &Node, complete: bool) {
        let mut reader = Reader::new(&self.trace);
        let filled = template::fill(&mut reader, merged);
        let merged = filled.as_ref().unwrap_or(merged);
        let own = Span::start_of(self.file);
        if let Some(map) = merged.as_map() {
            known_keys(&mut reader, map);
            if complete {
                required(&mut reader, map, own);
            }
            self.name = map.get("name").and_then(|entry| reader.name(Field::root("name"), entry));
            self.name_at = map.get("name").map(at);
            if let Some(entry) = map.get("harness") {
                reader.word(Code::InvalidHarness, Field::root("harness"), entry, HARNESSES);
            }
            for (key, most) in PROMPTS {
                prompt(&mut reader, map, key, *most);
            }
            if let Some(entry) = map.get("environment") {
                self.environment = choice(&mut reader, entry, complete);
                self.declared = declared(entry);
            }
            if let Some(entry) = map.get("mounts") {
                self.checkouts = mounts::read(&mut reader, Field::root("mounts"), entry);
            }
            if let Some(entry) = map.get("env") {
                let field = Field::root("env");
                self.variables = variables::read(&mut reader, field, entry, VariableLayer::Agent);
            }
            self.workdir =
                map.get("workingDirectory").and_then(|entry| workdir(&mut reader, entry));
            let kept = map.entries().iter().filter(|entry| !MODELLED.contains(&&*entry.key.text));
            self.extensions =
                kept.map(|entry| (entry.key.text.to_string(), entry.value.clone())).collect();
        } else {
            reader.checks.map(Field::root("the agent"), merged.span(), merged);
        }
        let found = std::mem::take(&mut reader.checks.faults);
        self.faults.extend(found);
    }
}

fn required(reader: &mut Reader<'_>, map: &Map, own: Span) {
    let missing: Vec<&str> = ["name", "harness", "environment"]
        .into_iter()
        .filter(|key| map.get(key).is_none())
        .collect();
    for key in missing {
        let fault = Fault::new(Code::MissingField, own, format!("the agent has no `{key}`"))
            .expected("`name`, `harness` and `environment`, here or in an imported fragment")
            .maybe_hint(
                (key == "harness")
                    .then(|| String::from("write `harness: claude-code` or `harness: codex`")),
            );
        reader.push(fault);
    }
}

fn known_keys(reader: &mut Reader<'_>, map: &Map) {
    for Entry { key, .. } in map.entries() {
        if KEYS.contains(&&*key.text) {
            continue;
        }
        let named = quote(&key.text);
        if environment::KEYS.contains(&&*key.text) {
            let message = format!("the key {named} belongs to the environment, not to the agent");
            let fault = Fault::new(Code::MisplacedKey, key.span, message)
                .hint(format!("indent `{}` below `environment:`", key.text));
            reader.push(fault);
        } else if let Some(near) =
            nearest(&key.text, KEYS.iter().copied()).filter(|near| is_slip(&key.text, near))
        {
            let fault =
                Fault::new(Code::MisspelledKey, key.span, format!("the key {named} is not known"))
                    .expected(one_of(&KEYS[..9]))
                    .hint(format!("did you mean `{near}`?"));
            reader.push(fault);
        }
    }
}

/// Whether two words differ by one slip of the fingers: an unknown key that is merely similar may be right.
fn is_slip(word: &str, known: &str) -> bool {
    let bare = |word: &str| word.to_ascii_lowercase().replace(['_', '-'], "");
    let (word, known) = (bare(word), bare(known));
    word.len() >= 4 && strsim::damerau_levenshtein(&word, &known) <= 1
}

fn prompt(reader: &mut Reader<'_>, map: &Map, key: &str, most: usize) {
    let Some(entry) = map.get(key) else { return };
    let Some(text) = reader.checks.text(Field::root(key), at(entry), &entry.value) else { return };
    let count = if text.len() <= most { 0 } else { text.chars().count() };
    if count > most {
        let fault =
            Fault::new(Code::TextTooLong, at(entry), format!("`{key}` has {count} characters"))
                .expected(format!("at most {most} characters"));
        reader.push(fault);
    }
}

fn choice(reader: &mut Reader<'_>, entry: &Entry, complete: bool) -> Choice {
    if entry.value.as_scalar().is_none() {
        return environment::read(reader, entry, complete)
            .map_or(Choice::None, |environment| Choice::Inline(Box::new(environment)));
    }
    if entry.value.is_null() {
        reader.checks.wrong_type(
            Field::root("environment"),
            at(entry),
            &entry.value,
            "a mapping, or the name of an environment",
        );
        return Choice::None;
    }
    let name = reader.name(Field::root("environment"), entry);
    name.map_or(Choice::None, |name| Choice::Named(name, at(entry)))
}

fn declared(entry: &Entry) -> Option<(String, Span)> {
    let name = entry.value.as_map()?.get("name")?;
    Some((name.value.as_text()?.trim().to_owned(), at(name)))
}

fn workdir(reader: &mut Reader<'_>, entry: &Entry) -> Option<Workdir> {
    let span = at(entry);
    let field = Field::root("workingDirectory");
    let text = reader.checks.text(field, span, &entry.value)?.trim();
    let climbs = text.split('/').any(|part| part == "..");
    if text.is_empty() || climbs || text.chars().any(char::is_control) {
        let fault = Fault::new(
            Code::InvalidWorkingDirectory,
            span,
            format!("`{field}` is {}", quote(text)),
        )
        .expected("an absolute path without `..`");
        reader.push(fault);
        return None;
    }
    Some(Workdir { path: reader.trace.authored(text.to_owned(), span), at: span })
}
