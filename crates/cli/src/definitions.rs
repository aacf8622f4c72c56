//! Definitions to plans: resolve, plan, and put equal plans together.

use environment::{Dialect, Finding, Options, RepoPath, ResolvedEnvironment, Source, Target};
use planner::Plan;

use crate::config::Config;

/// The flag that says which format a file is.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Format {
    /// The format of the definitions, where their files do not show it
    #[arg(long, value_name = "FORMAT", value_parser = str::parse::<Dialect>)]
    dialect: Option<Dialect>,
}

impl Format {
    /// Everything that reading definitions is told beside its target.
    pub(crate) fn options(self, config: &Config, repository: Option<String>) -> Options {
        let Config { stand_ins, definitions, .. } = config;
        Options {
            dialect: self.dialect,
            repository,
            stand_ins: stand_ins.clone(),
            listed: definitions.clone(),
        }
    }
}

/// What the definitions of a repository come to.
pub(crate) struct Definitions {
    /// Distinct plans, in the order of their first agent.
    pub(crate) plans: Vec<Shared>,
    /// All findings, each once.
    pub(crate) findings: Vec<Finding>,
}

/// A plan and every agent that comes to it.
pub(crate) struct Shared {
    /// The plan, made for the first of the agents.
    pub(crate) plan: Plan,
    /// What it was planned from.
    pub(crate) environment: ResolvedEnvironment,
    /// The agents, in order.
    pub(crate) agents: Vec<String>,
}

impl Definitions {
    /// Reads everything that `target` means out of `source`.
    pub(crate) fn read(source: &dyn Source, target: &Target, options: &Options) -> Self {
        let environment::Resolution { environments, refused, mut findings } =
            environment::resolve_with(source, target, options);
        let slug = options.repository.as_deref();
        let mut plans: Vec<Shared> = Vec::new();
        let mut known = std::collections::HashMap::new();
        for environment in environments {
            let planner::Planned { plan, findings: more } = planner::plan(&environment, slug);
            findings.extend(more);
            let agent = plan.agent.clone();
            let index = *known.entry(plan.digest.clone()).or_insert_with(|| {
                plans.push(Shared { plan, environment, agents: Vec::new() });
                plans.len() - 1
            });
            plans[index].agents.extend(agent);
        }
        // Nothing is built of these: their faults are to be seen in one run with the others.
        for environment in refused {
            findings.extend(planner::plan(&environment, slug).findings);
        }
        environment::fill_excerpts(&mut findings, source);
        findings.sort_by(|a, b| a.place.cmp(&b.place).then(a.code.cmp(&b.code)));
        findings.dedup();
        Self { plans, findings }
    }

    /// Every file that a plan was made of, or that something was found in.
    pub(crate) fn files(&self) -> Vec<RepoPath> {
        let sources = self.plans.iter().flat_map(|shared| &shared.plan.sources);
        let found = self.findings.iter().filter_map(|finding| finding.place.as_ref());
        let mut files: Vec<RepoPath> = sources
            .map(|source| source.path.clone())
            .chain(found.map(|place| place.file.clone()))
            .collect();
        files.sort();
        files.dedup();
        files
    }
}
