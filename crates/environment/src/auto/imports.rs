//! `imports`: which files an agent is made of, and in which order.

use std::collections::{HashMap, HashSet};

use super::merge;
use crate::check::{Checks, Field, at};
use crate::fault::{Fault, nearest, quote};
use crate::files::{Files, LoadError, load_fault};
use crate::limits::{IMPORT_CHAIN, IMPORTS};
use crate::yaml::{FileId, Node, Span};
use crate::{Code, RepoPath, SourceError};

/// Every file that an agent reaches, merged once however often it is imported.
#[derive(Default)]
pub(super) struct Graph {
    parts: HashMap<FileId, Part>,
    /// Merged values of whole lists of imports: agents that import the same fragments share them.
    prefixes: HashMap<Vec<FileId>, Option<Node>>,
    /// What an import means, by the folder that it is written in and its text.
    targets: HashMap<String, HashMap<String, FileId>>,
}

/// One file and what it imports.
pub(super) struct Part {
    imports: Vec<Import>,
    /// What was found about its `imports`.
    faults: Vec<Fault>,
    /// The file with everything that it imports below it.
    pub(super) merged: Option<Node>,
    /// Whether everything that it imports could be read.
    pub(super) complete: bool,
}

#[derive(Clone, Copy)]
struct Import {
    at: Span,
    to: FileId,
}

/// The files of one agent.
pub(super) struct Chain {
    /// In merge order, the agent's own file last.
    pub(super) order: Vec<FileId>,
    /// The `imports` entries on the way to each, outermost first.
    pub(super) via: HashMap<FileId, Vec<Span>>,
}

impl Graph {
    /// Loads and merges a file and everything that it imports.
    pub(super) fn load(&mut self, files: &mut Files<'_>, known: &[RepoPath], file: FileId) {
        self.visit(files, known, file, &mut Vec::new());
    }

    pub(super) fn part(&self, file: FileId) -> Option<&Part> {
        self.parts.get(&file)
    }

    /// What was found in one file: as YAML, and about its imports.
    pub(super) fn faults<'a>(
        &'a self,
        files: &'a Files<'_>,
        file: FileId,
    ) -> impl Iterator<Item = &'a Fault> {
        let imports = self.parts.get(&file).map_or(&[][..], |part| &part.faults);
        files.get(file).faults.iter().chain(imports)
    }

    fn visit(
        &mut self,
        files: &mut Files<'_>,
        known: &[RepoPath],
        file: FileId,
        stack: &mut Vec<(FileId, Span)>,
    ) {
        if self.parts.contains_key(&file) {
            return;
        }
        let root = files.get(file).root.clone();
        let mut part = Part {
            imports: Vec::new(),
            faults: Vec::new(),
            merged: None,
            complete: root.is_some(),
        };
        for (path, at) in
            root.as_ref().map(|root| entries(root, &mut part.faults)).unwrap_or_default()
        {
            let target = match self.target(files, known, file, path, at) {
                Ok(target) => target,
                Err(fault) => {
                    part.complete = false;
                    part.faults.push(*fault);
                    continue;
                }
            };
            stack.push((file, at));
            let fault = cycle(files, stack, target).or_else(|| too_long(stack, at));
            match fault {
                Some(fault) => {
                    part.complete = false;
                    part.faults.push(fault);
                }
                None => {
                    self.visit(files, known, target, stack);
                    part.imports.push(Import { at, to: target });
                    part.complete &= self.parts.get(&target).is_some_and(|part| part.complete);
                }
            }
            stack.pop();
        }
        let below = self.merge_imports(&part.imports);
        part.merged = root.map(|root| merge::file(below.as_ref(), &root));
        self.parts.insert(file, part);
    }

    /// The file that an import names. A thousand agents of one folder write the same few paths.
    fn target(
        &mut self,
        files: &mut Files<'_>,
        known: &[RepoPath],
        from: FileId,
        written: &str,
        at: Span,
    ) -> Result<FileId, Box<Fault>> {
        let own = files.get(from).path.as_str();
        let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
        if let Some(id) = self.targets.get(folder).and_then(|targets| targets.get(written)) {
            return Ok(*id);
        }
        let folder = folder.to_owned();
        let id = target(files, known, from, written, at)?;
        self.targets.entry(folder).or_default().insert(written.to_owned(), id);
        Ok(id)
    }

    /// Imports in order, each winning over those before it.
    fn merge_imports(&mut self, imports: &[Import]) -> Option<Node> {
        let ids: Vec<FileId> = imports.iter().map(|import| import.to).collect();
        if let Some(merged) = self.prefixes.get(&ids) {
            return merged.clone();
        }
        let values = ids.iter().filter_map(|id| self.parts.get(id)?.merged.as_ref());
        let merged = values.cloned().reduce(|under, over| merge::values(&under, &over));
        self.prefixes.insert(ids, merged.clone());
        merged
    }

    /// The files that an agent is made of. A file that is reached twice counts where it is merged last.
    pub(super) fn chain(&self, agent: FileId) -> Chain {
        let mut chain = Chain { order: Vec::new(), via: HashMap::new() };
        let mut seen = HashSet::new();
        let mut open = vec![(agent, Vec::new())];
        // Backwards: the file, then its imports from the last to the first; the first visit is the last merge.
        while let Some((file, via)) = open.pop() {
            if !seen.insert(file) {
                continue;
            }
            chain.order.push(file);
            for import in self.parts.get(&file).map_or(&[][..], |part| &part.imports) {
                if !seen.contains(&import.to) {
                    let mut via = via.clone();
                    via.push(import.at);
                    open.push((import.to, via));
                }
            }
            chain.via.insert(file, via);
        }
        chain.order.reverse();
        chain
    }
}

/// The texts of a file's `imports`.
fn entries<'n>(root: &'n Node, faults: &mut Vec<Fault>) -> Vec<(&'n str, Span)> {
    let Some(entry) = root.as_map().and_then(|map| map.get("imports")) else { return Vec::new() };
    let mut checks = Checks::default();
    let texts = checks.texts(Field::root("imports"), at(entry), &entry.value);
    let mut entries: Vec<(&str, Span)> =
        texts.into_iter().map(|(node, text)| (text, node.span())).collect();
    if let Some((_, at)) = entries.get(IMPORTS) {
        let message = format!("more than {IMPORTS} imports");
        checks.push(Fault::new(Code::DefinitionLimit, *at, message));
        entries.truncate(IMPORTS);
    }
    faults.append(&mut checks.faults);
    entries
}

/// The most steps of a cycle that a finding shows.
const SHOWN_OF_CYCLE: usize = 8;

/// The file that an import names.
fn target(
    files: &mut Files<'_>,
    known: &[RepoPath],
    from: FileId,
    written: &str,
    at: Span,
) -> Result<FileId, Box<Fault>> {
    let path = written.trim();
    let own = files.get(from).path.clone();
    let fault = |code, message: String| Box::new(Fault::new(code, at, message));
    let outside = |why: &str| {
        fault(Code::ImportOutside, format!("the import {} {why}", quote(path)))
            .expected("a path relative to the folder of this file, inside the repository")
            .hint("copy the file below `.auto/fragments/` and import it from there")
    };
    if path.is_empty() {
        return Err(Box::new(
            fault(Code::EmptyText, "the import is empty".into()).expected("a relative path"),
        ));
    }
    if path.starts_with('@') {
        let message = format!("the import {} is a managed template", quote(path));
        return Err(Box::new(
            fault(Code::ImportTemplate, message)
                .expected("a path relative to the folder of this file")
                .hint("copy what the environment needs below `.auto/fragments/` and import that"),
        ));
    }
    if path.contains("://") {
        return Err(Box::new(outside("is a URL")));
    }
    if path.starts_with('/') || path.starts_with('~') || path.as_bytes().get(1) == Some(&b':') {
        return Err(Box::new(outside("is an absolute path")));
    }
    let Some(resolved) = own.resolve(path) else {
        return Err(Box::new(outside("leads out of the repository")));
    };
    let not_found = || {
        let near = nearest_file(&resolved, known).filter(|near| *near != &own);
        let hint = if path.contains('\\') {
            Some(String::from("write `/` between folders"))
        } else {
            near.map(|near| format!("did you mean `{}`?", relative(&own, near)))
        };
        let message = format!("there is no file `{resolved}`");
        let fault = fault(Code::ImportNotFound, message).expected("a file of the repository");
        Box::new(fault.maybe_hint(hint))
    };
    let loaded = match is_yaml(&resolved) {
        true => files.load(&resolved),
        // Not read: it may be large, and it is no definition.
        false if known.contains(&resolved) => {
            let message = format!("`{resolved}` is not a YAML file");
            return Err(Box::new(
                fault(Code::ImportKind, message).expected("a `.yaml` or `.yml` fragment"),
            ));
        }
        false => return Err(not_found()),
    };
    loaded.map_err(|error| match error {
        LoadError::Source(SourceError::NotFound) => not_found(),
        LoadError::Source(SourceError::LeavesRepository) => {
            Box::new(outside("goes through a link that leads out of the repository"))
        }
        error => Box::new(load_fault(&error, &resolved, crate::fault::At::Span(at))),
    })
}

fn cycle(files: &Files<'_>, stack: &[(FileId, Span)], target: FileId) -> Option<Fault> {
    let start = stack.iter().position(|(file, _)| *file == target)?;
    let (_, at) = stack.last()?;
    let path = &files.get(target).path;
    let message = if start + 1 == stack.len() {
        format!("`{path}` imports itself")
    } else {
        format!("importing `{path}` here closes a cycle")
    };
    let fault = Fault::new(Code::ImportCycle, *at, message)
        .expected("imports that end")
        .hint("remove one of the imports of the cycle; move what both files need into a third");
    let inner = &stack[start..stack.len() - 1];
    let inner = &inner[..inner.len().min(SHOWN_OF_CYCLE)];
    Some(inner.iter().fold(fault, |fault, (_, at)| fault.related(*at, "the cycle goes on here")))
}

fn too_long(stack: &[(FileId, Span)], at: Span) -> Option<Fault> {
    (stack.len() > IMPORT_CHAIN).then(|| {
        Fault::new(
            Code::DefinitionLimit,
            at,
            format!("more than {IMPORT_CHAIN} imports in a chain"),
        )
    })
}

pub(super) fn is_yaml(path: &RepoPath) -> bool {
    path.as_str().ends_with(".yaml") || path.as_str().ends_with(".yml")
}

/// The known file nearest to a path: the same name elsewhere, or nearly the same path.
fn nearest_file<'a>(path: &RepoPath, known: &'a [RepoPath]) -> Option<&'a RepoPath> {
    let stem = |path: &RepoPath| {
        let name = path.as_str().rsplit('/').next().unwrap_or_default();
        name.split('.').next().unwrap_or_default().to_owned()
    };
    let wanted = stem(path);
    let candidates = known.iter().filter(|known| is_yaml(known)).take(2_000);
    candidates.clone().find(|known| stem(known) == wanted).or_else(|| {
        let near = nearest(path.as_str(), candidates.clone().map(RepoPath::as_str))?;
        candidates.clone().find(|known| known.as_str() == near)
    })
}

/// How `to` is written in an import of the file `from`.
fn relative(from: &RepoPath, to: &RepoPath) -> String {
    let mut from: Vec<&str> = from.as_str().split('/').collect();
    from.pop();
    let to: Vec<&str> = to.as_str().split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - shared;
    let mut parts = if up == 0 { vec!["."] } else { vec![".."; up] };
    parts.extend(&to[shared..]);
    parts.join("/")
}
