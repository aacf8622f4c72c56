//! All agents of a repository together: who is meant, who generates which environment, who contradicts whom.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::agent::{Agent, Choice};
use super::assemble::{assemble, workdir};
use super::difference;
use super::discovery::stem;
use super::environment::Environment;
use super::imports::Graph;
use crate::check::one_of;
use crate::fault::{At, Fault, nearest, quote};
use crate::files::Files;
use crate::report::Report;
use crate::yaml::{FileId, Span};
use crate::{Code, RepoPath, ResolvedEnvironment, Target};

/// The agents of a repository and what they have to do with each other.
pub(super) struct Bundle<'f> {
    agents: Vec<Agent<'f>>,
    /// The first agent that defines each environment.
    defined: BTreeMap<String, usize>,
    /// What lies between two agents.
    between: Vec<Between>,
}

struct Between {
    first: usize,
    second: usize,
    fault: Fault,
}

impl<'f> Bundle<'f> {
    pub(super) fn new(agents: Vec<Agent<'f>>) -> Self {
        let mut bundle = Self { agents, defined: BTreeMap::new(), between: Vec::new() };
        let mut named: HashMap<&str, usize> = HashMap::new();
        for (second, agent) in bundle.agents.iter().enumerate() {
            if let Some(name) = &agent.name {
                let first = *named.entry(&name.value).or_insert(second);
                let fault = (first != second).then(|| same_agent(&bundle.agents[first], agent));
                bundle.between.extend(fault.map(|fault| Between { first, second, fault }));
            }
            if let Choice::Inline(environment) = &agent.environment {
                let first = *bundle.defined.entry(environment.name.value.clone()).or_insert(second);
                if let Choice::Inline(other) = &bundle.agents[first].environment {
                    let fault = conflict(&bundle.agents[first], other, agent, environment);
                    bundle.between.extend(fault.map(|fault| Between { first, second, fault }));
                }
            }
        }
        bundle
    }

    /// The agents that a target means.
    pub(super) fn select(&self, files: &Files<'_>, target: &Target) -> Vec<usize> {
        let all = |test: &dyn Fn(&Agent<'_>) -> bool| -> Vec<usize> {
            self.agents
                .iter()
                .enumerate()
                .filter(|(_, agent)| test(agent))
                .map(|(at, _)| at)
                .collect()
        };
        match target {
            Target::All => all(&|_| true),
            Target::File(path) => all(&|agent| files.get(agent.file).path == *path),
            Target::Name(wanted) => {
                // A file that says nothing about its name is known by its file's name.
                let by_agent = all(&|agent| match &agent.name {
                    Some(name) => name.value == *wanted,
                    None => stem(&files.get(agent.file).path) == wanted,
                });
                if by_agent.is_empty() {
                    all(&|agent| agent.environment_name() == Some(wanted))
                } else {
                    by_agent
                }
            }
        }
    }

    /// The first agents that import a file, for a hint.
    pub(super) fn importers(&self, files: &Files<'_>, path: &RepoPath) -> Option<String> {
        let imports = |agent: &&Agent<'_>| {
            agent.trace.files().iter().any(|file| files.get(*file).path == *path)
        };
        let agents = self.agents.iter().filter(imports);
        let names = agents.filter_map(|agent| Some(agent.name.as_ref()?.value.as_str()));
        let names: Vec<&str> = names.take(3).collect();
        (!names.is_empty()).then(|| one_of(&names))
    }

    /// Every name that a target could have.
    pub(super) fn names(&self) -> Vec<String> {
        let agents =
            self.agents.iter().filter_map(|agent| Some(agent.name.as_ref()?.value.as_str()));
        let environments = self.agents.iter().filter_map(Agent::environment_name);
        agents.chain(environments).map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Resolves the selected agents and reports what was found about them, and about nobody else.
    pub(super) fn resolve(
        mut self,
        files: &Files<'_>,
        graph: &Graph,
        selected: &[usize],
        report: &mut Report<'_>,
    ) -> (Vec<ResolvedEnvironment>, Vec<ResolvedEnvironment>) {
        let chosen: BTreeSet<usize> = selected.iter().copied().collect();
        let mut reported: HashSet<FileId> = HashSet::new();
        let mut uses: Vec<(usize, usize)> = Vec::new();
        for at in selected {
            let agent = &self.agents[*at];
            for file in agent.trace.files().iter().filter(|file| reported.insert(**file)) {
                graph.faults(files, *file).for_each(|fault| add(report, agent, fault));
            }
            agent.faults.iter().for_each(|fault| add(report, agent, fault));
            match self.definer(*at, &chosen) {
                Ok(definer) => uses.extend(definer.map(|definer| (*at, definer))),
                Err(fault) => add(report, agent, &fault),
            }
        }
        let contested = self.contested(&chosen, &uses, report);
        let mut left: HashMap<usize, usize> = HashMap::new();
        for (_, definer) in &uses {
            *left.entry(*definer).or_default() += 1;
        }
        let (mut environments, mut refused) = (Vec::new(), Vec::new());
        for (at, definer) in uses {
            let environment = self.take(definer, &mut left);
            let agent = &self.agents[at];
            let Some(environment) = environment else { continue };
            if let Some(fault) = skipped_setup(agent, &environment) {
                add(report, agent, &fault);
            }
            let sound = !agent.is_broken() && !contested.contains(&environment.name.value);
            let into = if sound { &mut environments } else { &mut refused };
            into.push(assemble(agent, &self.agents[definer], *environment));
        }
        (environments, refused)
    }

    /// An agent's environment: copied while others still need it, moved out for the last.
    fn take(
        &mut self,
        definer: usize,
        left: &mut HashMap<usize, usize>,
    ) -> Option<Box<Environment>> {
        let left = left.get_mut(&definer)?;
        *left -= 1;
        match &mut self.agents[definer].environment {
            Choice::Inline(environment) if *left > 0 => Some(environment.clone()),
            choice @ Choice::Inline(_) => match std::mem::replace(choice, Choice::None) {
                Choice::Inline(environment) => Some(environment),
                Choice::Named(..) | Choice::None => None,
            },
            Choice::Named(..) | Choice::None => None,
        }
    }

    /// Reports what lies between agents, and returns the names of environments that nobody can have.
    fn contested(
        &self,
        chosen: &BTreeSet<usize>,
        uses: &[(usize, usize)],
        report: &mut Report<'_>,
    ) -> HashSet<String> {
        let mut involved = chosen.clone();
        for (_, definer) in uses {
            let first =
                self.agents[*definer].environment_name().and_then(|name| self.defined.get(name));
            involved.extend(first);
        }
        let mut contested = HashSet::new();
        for Between { first, second, fault } in &self.between {
            let is_error = fault.is_error();
            let concerned = if is_error { &involved } else { chosen };
            if concerned.contains(first) || concerned.contains(second) {
                add(report, &self.agents[*second], fault);
            }
            if is_error {
                contested.extend(self.agents[*second].environment_name().map(str::to_owned));
            }
        }
        contested
    }

    /// The agent whose environment this one uses: itself, or the one that defines the name it gives.
    fn definer(&self, at: usize, chosen: &BTreeSet<usize>) -> Result<Option<usize>, Box<Fault>> {
        let (name, span) = match &self.agents[at].environment {
            Choice::None => return Ok(None),
            Choice::Inline(_) => return Ok(Some(at)),
            Choice::Named(name, span) => (&name.value, *span),
        };
        if let Some(definer) = self.defined.get(name) {
            return Ok(Some(*definer));
        }
        let broken = self.agents.iter().position(|agent| {
            agent.declared.as_ref().is_some_and(|(declared, _)| declared == name)
        });
        if let Some(at) = broken {
            let declared = self.agents[at].declared.as_ref().filter(|_| !chosen.contains(&at));
            let fault = declared.map(|(_, place)| {
                let message = format!("the environment {} is defined with errors", quote(name));
                Fault::new(Code::EnvironmentNotGenerated, span, message)
                    .hint("mend its definition first")
                    .related(*place, "defined here")
            });
            return fault.map_or(Ok(None), |fault| Err(Box::new(fault)));
        }
        let near = nearest(name, self.defined.keys().map(String::as_str));
        let unreadable = self.agents.iter().any(Agent::is_unreadable);
        let hint = match near {
            Some(near) => Some(format!("did you mean {}?", quote(near))),
            None if unreadable => {
                Some("it may be defined in a file that cannot be read: mend that first".into())
            }
            None => None,
        };
        let message = format!("no agent defines an environment named {}", quote(name));
        let fault = Fault::new(Code::EnvironmentNotGenerated, span, message)
            .expected("the name of an environment that an agent defines inline")
            .maybe_hint(hint);
        Err(Box::new(fault))
    }
}

fn add(report: &mut Report<'_>, agent: &Agent<'_>, fault: &Fault) {
    report.add(fault, |fault| match &fault.at {
        At::Span(span) => agent.trace.via(span.file),
        At::File(_) | At::Nowhere => &[],
    });
}

fn same_agent(first: &Agent<'_>, second: &Agent<'_>) -> Fault {
    let at = |agent: &Agent<'_>| agent.name_at.unwrap_or(Span::start_of(agent.file));
    let name = second.name.as_ref().map_or("", |name| &name.value);
    let message = format!("two agents are named {}", quote(name));
    Fault::new(Code::DuplicateAgentName, at(second), message)
        .expected("a name of its own for each agent")
        .related(at(first), "first used here")
}

fn conflict(
    first: &Agent<'_>,
    one: &Environment,
    second: &Agent<'_>,
    other: &Environment,
) -> Option<Fault> {
    let difference = difference::between(&one.node, &other.node)?;
    let (how, there_is) = match (difference.first, difference.second) {
        (Some(_), Some(_)) => ("has another", "another content here"),
        (None, _) => ("alone here has", "not written here"),
        (_, None) => ("lacks here its", "written here"),
    };
    let message = format!(
        "Conflicting generated resource: the environment {} {how} `{}`",
        quote(&other.name.value),
        difference.path,
    );
    let here = difference.second.unwrap_or(other.node.span());
    let there = difference.first.unwrap_or(one.node.span());
    let mut fault = Fault::new(Code::ConflictingEnvironment, here, message)
        .expected("the same specification wherever the name is the same")
        .hint("share one fragment, or give one of the two another name")
        .related(there, there_is);
    for span in first.trace.via(there.file) {
        if !second.trace.via(here.file).contains(span) {
            fault = fault.related(*span, "which is imported here");
        }
    }
    Some(fault)
}

/// The platform skips setup without an error when the session has no working directory.
fn skipped_setup(agent: &Agent<'_>, environment: &Environment) -> Option<Fault> {
    let setup = environment.setup_at?;
    if workdir(agent).is_some() || agent.is_broken() {
        return None;
    }
    let relative = agent.workdir.as_ref();
    let own = agent.name_at.filter(|span| span.file == agent.file);
    let at = match relative {
        Some(workdir) => workdir.at,
        None if setup.file == agent.file => setup,
        None => own.unwrap_or(Span::start_of(agent.file)),
    };
    let message = match relative {
        Some(_) => "setup is skipped: without a mount, `workingDirectory` must be absolute",
        None => {
            "setup is skipped: the agent has neither a mount nor an absolute `workingDirectory`"
        }
    };
    let fault = Fault::new(Code::SetupSkipped, at, message)
        .expected("a mount, or an absolute `workingDirectory`")
        .hint("add `mounts`, or for example `workingDirectory: /workspace`");
    Some(if at == setup { fault } else { fault.related(setup, "this setup is skipped") })
}
