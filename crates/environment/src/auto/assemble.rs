//! An agent and its environment to a [`ResolvedEnvironment`].

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::agent::Agent;
use super::environment::Environment;
use super::pages::{PREFLIGHT, REFERENCE};
use super::stages::stages;
use crate::{
    Accounts, Base, Basis, Compute, Dialect, Network, Origin, ResolvedEnvironment, Reuse,
    ReuseLayer, SourceFile, Sourced, yaml,
};

/// How long a snapshot may be reused when nothing is written, in seconds (field reference: seven days).
const DEFAULT_TTL_S: u64 = 7 * 86_400;

/// `definer` is the agent whose file defines the environment: `agent` itself, or another that it names.
pub(super) fn assemble(
    agent: &Agent<'_>,
    definer: &Agent<'_>,
    environment: Environment,
) -> ResolvedEnvironment {
    let sources = sources(agent, definer);
    let extensions = extensions(agent, &environment);
    let compute = compute(&environment);
    let Environment { name, labels, annotations, base, steps, setup, ttl, mut variables, .. } =
        environment;
    let contract =
        matches!(base, Base::Image { .. }).then(|| documented("debian-contract-v0", PREFLIGHT));
    variables.extend_from_slice(&agent.variables);
    ResolvedEnvironment {
        schema: "resolved-environment/1".into(),
        origin: Origin {
            dialect: Dialect::Auto,
            profile: "a2".into(),
            name: Some(name),
            agent: agent.name.clone(),
            description: None,
            labels,
            annotations,
            sources,
        },
        stages: stages(&base, steps, setup, &agent.checkouts),
        base,
        contract,
        accounts: accounts(),
        workdir: workdir(agent),
        checkouts: agent.checkouts.clone(),
        variables,
        network: Network::Unspecified,
        compute,
        reuse: reuse(ttl),
        extensions,
        assumptions: Vec::new(),
    }
}

/// The session's working directory: what is authored, else the first mount's path; `None` means that
/// the platform skips setup.
pub(super) fn workdir(agent: &Agent<'_>) -> Option<Sourced<String>> {
    let first = agent.checkouts.first().map(|checkout| &checkout.path);
    let Some(authored) = &agent.workdir else { return first.cloned() };
    let written = &authored.path.value;
    if written.starts_with('/') {
        return Some(authored.path.clone());
    }
    let mount = first?;
    let why = "a relative `workingDirectory` is taken to start at the first mount's path";
    Some(Sourced {
        value: format!("{}/{written}", mount.value.trim_end_matches('/')),
        basis: Basis::Assumed { why: why.into() },
    })
}

fn documented(value: &str, page: &str) -> Sourced<String> {
    Sourced { value: value.into(), basis: Basis::DocumentedDefault { source: page.into() } }
}

/// The files of the environment's definition, then the agent's own, each once.
fn sources(agent: &Agent<'_>, definer: &Agent<'_>) -> Vec<SourceFile> {
    let own = agent.trace.files();
    let other = definer.trace.files().iter().filter(|id| !own.contains(id));
    other.chain(own).map(|id| agent.trace.source_file(*id)).collect()
}

fn accounts() -> Accounts {
    Accounts {
        build: documented("root", PREFLIGHT),
        session: documented("user", REFERENCE),
        home: documented("/home/user", REFERENCE),
        login_shell: documented("/bin/bash", PREFLIGHT),
    }
}

fn compute(environment: &Environment) -> Compute {
    let memory_unit = environment.memory.as_ref().map(|_| "unknown".to_owned());
    let millis = |cpus: &Sourced<u64>| Sourced {
        value: cpus.value.saturating_mul(1000),
        basis: cpus.basis.clone(),
    };
    Compute {
        cpu_millis: environment.cpus.as_ref().map(millis),
        memory_mib: environment.memory.clone(),
        memory_unit,
        disk_mib: None,
        run_timeout_s: None,
    }
}

fn reuse(ttl: Option<Sourced<u64>>) -> Reuse {
    let ttl = ttl.unwrap_or_else(|| Sourced {
        value: DEFAULT_TTL_S,
        basis: Basis::DocumentedDefault { source: REFERENCE.into() },
    });
    let layer = |name: &str, parts: &[&str], ttl_s| ReuseLayer {
        name: name.into(),
        parts: parts.iter().map(|part| (*part).to_owned()).collect(),
        ttl_s,
    };
    Reuse {
        layers: vec![
            layer("image", &["base", "probe", "bootstrap", "steps"], None),
            layer(
                "snapshot",
                &["image", "mounts", "setup-commands", "working-directory"],
                Some(ttl),
            ),
        ],
    }
}

/// What has no meaning here: the agent's other fields, the approval posture, and a relative working directory that no
/// mount gives a start.
fn extensions(agent: &Agent<'_>, environment: &Environment) -> BTreeMap<String, Json> {
    let fields = agent.extensions.iter();
    let mut kept: BTreeMap<String, Json> =
        fields.map(|(key, node)| (key.clone(), yaml::to_json(node))).collect();
    if let Some((key, word)) = &environment.approval {
        kept.insert(format!("environment.{key}"), Json::from(*word));
    }
    if let (Some(authored), None) = (&agent.workdir, workdir(agent)) {
        kept.insert("workingDirectory".to_owned(), Json::from(authored.path.value.as_str()));
    }
    kept
}
