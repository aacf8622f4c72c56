//! The `auto` dialect, generation a2: agents in `.auto/agents/`, fragments, inline environments.

mod agent;
mod assemble;
mod bundle;
mod difference;
mod discovery;
mod environment;
mod fields;
mod image;
mod imports;
mod merge;
mod mounts;
mod pages;
mod presets;
mod reader;
mod setup;
mod stages;
mod template;
mod variables;

use crate::dialect::{Answer, Format, Kind};
use crate::fault::{At, Fault};
use crate::files::{Files, load_fault};
use crate::limits::{LARGE_AGENTS, NODE_COST, SMALL_AGENT};
use crate::report::Report;
use crate::yaml::FileId;
use crate::{Code, Dialect, Target};
use agent::Agent;
use bundle::Bundle;
use discovery::Discovery;
use imports::Graph;

pub(crate) const FORMAT: Format = Format {
    dialect: Dialect::Auto,
    word: "auto",
    home: ".auto/agents/",
    fields: &fields::AGENT,
    kind: Kind::Bundle(resolve),
};

fn resolve(files: &mut Files<'_>, target: &Target) -> Answer {
    let mut discovery = Discovery::new(files, target);
    let mut graph = Graph::default();
    let mut loaded: Vec<FileId> = Vec::new();
    for path in &discovery.agents {
        match files.load(path) {
            Ok(file) => {
                graph.load(files, &discovery.all, file);
                loaded.push(file);
            }
            Err(error) => {
                let fault = load_fault(&error, path, At::File(path.clone()));
                discovery.unreadable.push((path.clone(), fault));
            }
        }
    }
    let files = &*files;
    let mut room = LARGE_AGENTS;
    let agents = loaded.into_iter().map(|file| compile(files, &graph, file, &mut room)).collect();
    answer(files, &graph, &discovery, Bundle::new(agents), target)
}

/// Compiles an agent unless what it would resolve to has no room any more.
fn compile<'f>(files: &'f Files<'f>, graph: &Graph, file: FileId, room: &mut u64) -> Agent<'f> {
    let weight = graph.part(file).and_then(|part| part.merged.as_ref()).map(|merged| {
        let weight = merged.weight();
        u64::from(weight.bytes) + NODE_COST * u64::from(weight.nodes)
    });
    let large = weight.filter(|weight| *weight > SMALL_AGENT).unwrap_or_default();
    let Some(rest) = room.checked_sub(large) else {
        let message = "the agents of this repository are too large in all to resolve this one too";
        let at = crate::yaml::Span::start_of(file);
        let fault = Fault::new(Code::DefinitionLimit, at, message);
        return Agent::refused(files, graph, file, fault);
    };
    *room = rest;
    Agent::compile(files, graph, file)
}

fn answer(
    files: &Files<'_>,
    graph: &Graph,
    discovery: &Discovery,
    bundle: Bundle<'_>,
    target: &Target,
) -> Answer {
    let selected = bundle.select(files, target);
    let unreadable: Vec<_> = discovery
        .unreadable
        .iter()
        .filter(|(path, _)| match target {
            Target::All => true,
            Target::File(file) => file == path,
            Target::Name(name) => discovery::stem(path) == name,
        })
        .collect();
    let mut matched =
        !selected.is_empty() || !unreadable.is_empty() || !discovery.refused.is_empty();
    let mut report = Report::new(files);
    // A folder that the platform refuses stops everything; it also explains why a name is not found.
    if *target == Target::All || !matched {
        matched |= *target == Target::All && !discovery.faults.is_empty();
        discovery.faults.iter().for_each(|fault| report.add(fault, |_| &[]));
    }
    for fault in &discovery.refused {
        let mut fault = fault.clone();
        if let Target::File(path) = target
            && let Some(importers) = bundle.importers(files, path)
        {
            fault.hint = Some(format!("it is part of {importers}: name that").into());
        }
        report.add(&fault, |_| &[]);
    }
    unreadable.iter().for_each(|(_, fault)| report.add(fault, |_| &[]));
    let names = bundle.names();
    let (environments, refused) = bundle.resolve(files, graph, &selected, &mut report);
    Answer { environments, refused, findings: report.finish(), matched, names }
}
