//! The formats whose files stand alone: one file, one environment, no imports.

pub(crate) mod definition;
mod discover;
pub(crate) mod recognise;
pub(crate) mod rules;
pub(crate) mod stage;

use std::collections::HashMap;

use crate::dialect::{Answer, Request};
use crate::fault::{At, Fault, quote};
use crate::files::{Files, load_fault};
use crate::report::Report;
use crate::trace::Trace;
use crate::yaml::{FileId, Span};
use crate::{Basis, Code, Dialect, Finding, Options, RepoPath, ResolvedEnvironment, Target};
use definition::Definition;
use recognise::{Candidate, Fit, Recognised};

/// A format whose files stand alone.
pub(crate) struct Standalone {
    pub(crate) dialect: Dialect,
    /// Its name in words.
    pub(crate) name: &'static str,
    /// Folders below which its files are found, at any depth.
    pub(crate) folders: &'static [&'static str],
    /// How the files' names end there.
    pub(crate) endings: &'static [&'static str],
    /// Files at the repository's root.
    pub(crate) files: &'static [&'static str],
    /// The key that every definition has at its start or top: it tells what a file that cannot be read was
    /// meant to be.
    pub(crate) mark: &'static str,
    /// Whether a file is of this format.
    pub(crate) recognise: fn(&Candidate<'_>) -> Fit,
    /// Reads a definition; what is wrong with it is in its checks. `None` when nothing can be made of it.
    pub(crate) read: fn(&mut Definition<'_>) -> Option<ResolvedEnvironment>,
}

/// A definition that was read.
struct Read {
    environment: Option<ResolvedEnvironment>,
    /// What could be read, if the platform refuses it.
    refused: Option<ResolvedEnvironment>,
    /// Its name, also when it is refused.
    name: Option<String>,
    at: Span,
    faults: Vec<Fault>,
}

/// Resolves every definition of the format that the target means.
pub(crate) fn resolve(format: &Standalone, files: &mut Files<'_>, request: &Request<'_>) -> Answer {
    let found = discover::discover(format, files, request);
    let asked = matches!(request.target, Target::File(_));
    let mut unreadable: Vec<Fault> = found.faults;
    let mut definitions: Vec<FileId> = Vec::new();
    for path in &found.paths {
        match files.load(path) {
            Ok(file) => definitions.push(file),
            Err(error) => unreadable.push(load_fault(&error, path, At::File(path.clone()))),
        }
    }
    let files = &*files;
    let mut reads: Vec<Read> = Vec::new();
    for file in definitions {
        let one = files.get(file);
        let certain = asked || found.certain.contains(&one.path);
        if !certain && !is_definition(format, files, file) {
            // A definition that a slip makes unreadable is not some other file.
            if !one.faults.is_empty() && recognise::is_meant(&one.text, format.mark) {
                let (at, faults) = (Span::start_of(file), one.faults.clone());
                reads.push(Read { environment: None, refused: None, name: None, at, faults });
            }
            continue;
        }
        reads.push(read(format, files, file, request));
    }
    let names: Vec<String> = reads.iter().filter_map(|read| read.name.clone()).collect();
    if let Target::Name(name) = request.target {
        reads.retain(|read| read.name.as_ref() == Some(name));
        unreadable.clear();
    }
    same_names(&mut reads);
    let mut report = Report::new(files);
    unreadable.iter().for_each(|fault| report.add(fault, |_| &[]));
    let matched = !reads.is_empty() || !unreadable.is_empty();
    let (mut environments, mut refused) = (Vec::new(), Vec::new());
    for read in reads {
        read.faults.iter().for_each(|fault| report.add(fault, |_| &[]));
        environments.extend(read.environment);
        refused.extend(read.refused);
    }
    Answer { environments, refused, findings: report.finish(), matched, names }
}

/// The settings' list of definitions, each with its dialect, and what is wrong with those that have
/// none: a file that somebody listed is never passed over in silence.
pub(crate) fn listed(
    files: &mut Files<'_>,
    target: &Target,
    options: &Options,
) -> (Options, Vec<Finding>) {
    let mut options = options.clone();
    let mut findings = Vec::new();
    if *target != Target::All || options.dialect.is_some() {
        return (options, findings);
    }
    for mut one in std::mem::take(&mut options.listed) {
        if one.dialect.is_none() {
            let dialect = match files.load(&one.path) {
                Ok(_) => which(files, &one.path, &options),
                Err(error) => {
                    let mut report = Report::new(files);
                    let at = At::File(one.path.clone());
                    report.add(&load_fault(&error, &one.path, at), |_| &[]);
                    Err(report.finish())
                }
            };
            match dialect {
                Ok(dialect) => one.dialect = dialect,
                Err(found) => {
                    findings.extend(found);
                    continue;
                }
            }
        }
        options.listed.push(one);
    }
    (options, findings)
}

/// The dialect of the file that somebody asked for: the one that is given, else the one that the file shows.
/// A file that is not there, or holds no YAML, is left to whoever looks for files next.
pub(crate) fn which(
    files: &mut Files<'_>,
    path: &RepoPath,
    options: &Options,
) -> Result<Option<Dialect>, Vec<Finding>> {
    let listed = options.listed.iter().find(|listed| listed.path == *path);
    if let Some(dialect) = options.dialect.or_else(|| listed.and_then(|listed| listed.dialect)) {
        return Ok(Some(dialect));
    }
    let in_auto = path.as_str().starts_with(".auto/");
    let Ok(file) = files.load(path) else { return Ok(Some(Dialect::Auto)) };
    let files = &*files;
    let one = files.get(file);
    let fault = match &one.root {
        _ if in_auto => return Ok(Some(Dialect::Auto)),
        None => None,
        Some(root) => match root.as_map() {
            None => Some(recognise::no_mapping(path, root)),
            Some(map) => {
                let schema = recognise::schema_of(&one.text);
                match recognise::recognise(&Candidate { path, map, schema }, root) {
                    Recognised::Format(format) => return Ok(Some(format.dialect)),
                    Recognised::Auto => return Ok(Some(Dialect::Auto)),
                    Recognised::Fault(fault) => Some(*fault),
                }
            }
        },
    };
    let mut report = Report::new(files);
    one.faults.iter().chain(&fault).for_each(|fault| report.add(fault, |_| &[]));
    Err(report.finish())
}

/// Whether a file that nobody asked for is a definition: what else lies in such a folder is not our business.
fn is_definition(format: &Standalone, files: &Files<'_>, file: FileId) -> bool {
    let one = files.get(file);
    let Some(map) = one.root.as_ref().and_then(|root| root.as_map()) else { return false };
    let schema = recognise::schema_of(&one.text);
    let candidate = Candidate { path: &one.path, map, schema };
    recognise::is_of(format, &candidate)
}

fn read(format: &Standalone, files: &Files<'_>, file: FileId, request: &Request<'_>) -> Read {
    let one = files.get(file);
    let at = Span::start_of(file);
    let mut faults = one.faults.clone();
    let Some(root) = &one.root else {
        return Read { environment: None, refused: None, name: None, at, faults };
    };
    let Some(map) = root.as_map() else {
        faults.push(recognise::no_mapping(&one.path, root));
        return Read { environment: None, refused: None, name: None, at, faults };
    };
    let trace = Trace::new(files, vec![file], HashMap::new());
    let options = request.options;
    let checks = crate::check::Checks { faults };
    let mut definition = Definition { root, map, trace: &trace, options, checks };
    let environment = (format.read)(&mut definition);
    let refused = definition.is_refused();
    let faults = definition.checks.faults;
    let name = environment.as_ref().and_then(|environment| environment.origin.name.as_ref());
    let at = name.map_or(at, |name| match &name.basis {
        Basis::Authored { place, .. } => Span { line: place.line, column: place.column, ..at },
        Basis::DocumentedDefault { .. } | Basis::Assumed { .. } | Basis::Unknown => at,
    });
    let name = name.map(|name| name.value.clone());
    let (environment, refused) = if refused { (None, environment) } else { (environment, None) };
    Read { environment, refused, name, at, faults }
}

/// Two files with one name: the second is refused.
fn same_names(reads: &mut [Read]) {
    let mut first: HashMap<String, Span> = HashMap::new();
    for read in reads {
        let Some(name) = read.name.clone() else { continue };
        if let Some(first) = first.get(&name) {
            let message = format!("two files define the environment {}", quote(&name));
            let fault = Fault::new(Code::DuplicateEnvironment, read.at, message)
                .expected("a name of its own for each environment")
                .related(*first, "first defined here");
            read.faults.push(fault);
            read.refused = read.environment.take();
        } else {
            first.insert(name, read.at);
        }
    }
}
