//! From an environment to its plan and to what was found on the way.

use environment::ResolvedEnvironment;
use serde_json::json;

use crate::{Plan, Planned, assemble, digest, fidelity, not_proven, session, snapshot, steps};

/// Plans an environment; see [`crate::plan`].
pub(crate) fn plan(environment: &ResolvedEnvironment, repository: Option<&str>) -> Planned {
    let origin = &environment.origin;
    let compute = &environment.compute;
    let mut plan = Plan {
        schema: "plan/1".to_owned(),
        dialect: Some(origin.dialect),
        environment: origin.name.as_ref().map_or_else(String::new, |name| name.value.clone()),
        agent: origin.agent.as_ref().map(|agent| agent.value.clone()),
        platform: "linux/amd64".to_owned(),
        base: assemble::base_image(environment),
        session: session::session(environment),
        checkout: assemble::checkout(environment, repository),
        variables: session::variables(environment),
        cpu_millis: compute.cpu_millis.as_ref().map(|cpu| cpu.value),
        memory_mib: compute.memory_mib.as_ref().map(|memory| memory.value),
        sources: origin.sources.clone(),
        ..Plan::default()
    };
    let assembled = assemble::assemble(environment, &plan);
    plan.instructions = assembled.instructions;
    plan.not_proven = assembled.left_out;
    plan.not_proven.extend(not_proven::not_proven(environment, &plan));
    plan.snapshot_key = snapshot::key(environment, &plan);
    plan.digest = decides(&plan);
    let mut findings = steps::check(environment);
    findings.extend(fidelity::check(environment, &plan));
    findings.sort_by(|a, b| a.place.cmp(&b.place));
    Planned { plan, findings }
}

/// The digest over what decides the image and the trial, and over nothing else: not the agent, not
/// names, not places in files.
fn decides(plan: &Plan) -> String {
    let instructions: Vec<_> = plan
        .instructions
        .iter()
        .map(|one| json!([one.kind, digest::text_of(one), one.timeout_s]))
        .collect();
    digest::of(&json!({
        "schema": plan.schema,
        "platform": plan.platform,
        "base": plan.base.reference,
        "instructions": instructions,
        "session": plan.session,
        "checkout": plan.checkout.as_ref().map(|checkout| &checkout.path),
        "variables": plan.variables,
        "cpu_millis": plan.cpu_millis,
        "memory_mib": plan.memory_mib,
    }))
}
