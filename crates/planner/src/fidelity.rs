//! Where the platform behaves differently from this build, outside the steps.
//!
//! Few rules, and each fires only on what is certainly there.

mod setup;

use std::collections::BTreeMap;

use environment::{
    Base, Code, Dialect, Finding, ResolvedEnvironment, StageKind, VariableLayer, VariableValue,
};

use crate::Plan;
use crate::assemble::place_of;
use crate::found::{Advice as _, at_place};

/// Finds them.
pub(crate) fn check(environment: &ResolvedEnvironment, plan: &Plan) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(mutable_tag(&environment.base));
    setup::check(environment, plan, &mut findings);
    findings.extend(odd_memory(environment));
    findings.extend(other_checkouts(environment, plan));
    findings.extend(paths(environment, plan));
    findings.extend(variables(environment));
    findings
}

/// Only for a reference that the author wrote: a preset cannot be pinned.
fn mutable_tag(base: &Base) -> Option<Finding> {
    let Base::Image { reference } = base else { return None };
    if reference.value.digest().is_some() {
        return None;
    }
    let message =
        format!("`{}` can move, and the hosted cache is keyed by its text", reference.value);
    let hint = format!("pin it when both must be the same: `{}@sha256:…`", reference.value);
    Some(at_place(Code::MutableTag, place_of(&reference.basis), message).hint(hint))
}

fn odd_memory(environment: &ResolvedEnvironment) -> Option<Finding> {
    if environment.origin.dialect != Dialect::Auto {
        return None;
    }
    let memory = environment.compute.memory_mib.as_ref().filter(|memory| memory.value % 2 == 1)?;
    let message =
        format!("{} is odd, and the hosted provider takes even numbers only", memory.value);
    let hint = format!("write {}", memory.value + 1);
    Some(at_place(Code::OddMemory, place_of(&memory.basis), message).hint(hint))
}

fn other_checkouts(environment: &ResolvedEnvironment, plan: &Plan) -> Option<Finding> {
    let at_hand = plan.checkout.as_ref()?;
    let other =
        environment.checkouts.iter().find(|checkout| checkout.path.value != at_hand.path)?;
    let message = format!(
        "only {} is put in place here; {} is not",
        at_hand.repository, other.repository.value
    );
    Some(at_place(Code::OtherCheckouts, place_of(&other.repository.basis), message))
}

/// A Dockerfile cannot carry every path.
fn paths(environment: &ResolvedEnvironment, plan: &Plan) -> Vec<Finding> {
    let odd = |path: &str| path.chars().any(char::is_control);
    let at_hand = plan.checkout.as_ref().map(|checkout| checkout.path.as_str());
    let mount = environment
        .checkouts
        .iter()
        .map(|checkout| &checkout.path)
        .find(|path| Some(path.value.as_str()) == at_hand);
    let mut paths: Vec<_> = mount.into_iter().chain(&environment.workdir).collect();
    paths.dedup_by(|a, b| a.value == b.value);
    paths
        .into_iter()
        .filter(|path| odd(&path.value))
        .map(|path| {
            let message = format!("the path {:?} holds a control character", path.value);
            at_place(Code::PathControlCharacter, place_of(&path.basis), message)
        })
        .collect()
}

fn variables(environment: &ResolvedEnvironment) -> Vec<Finding> {
    let mut findings = Vec::new();
    let scripts = environment.stages.iter().any(|stage| stage.kind == StageKind::Script);
    if let (true, Some(variable)) = (scripts, environment.variables.first()) {
        let secret = |variable: &&environment::Variable| {
            matches!(variable.value, VariableValue::Secret { .. })
        };
        let secrets = environment.variables.iter().filter(secret).count();
        let mut message =
            "whether setup sees the session's variables is not published; here it does".to_owned();
        if secrets > 0 {
            message = format!("{message}, without the {secrets} that are secrets");
        }
        findings.push(at_place(Code::VariablesInSetup, place_of(&variable.name.basis), message));
    }
    let of_agent: BTreeMap<_, _> = environment
        .variables
        .iter()
        .filter(|variable| variable.layer == VariableLayer::Agent)
        .map(|variable| (variable.name.value.as_str(), variable))
        .collect();
    for variable in &environment.variables {
        let name = variable.name.value.as_str();
        if let (VariableLayer::Environment, Some(agent)) = (variable.layer, of_agent.get(name)) {
            let message = format!(
                "`{name}` is defined by the environment and by the agent; here the agent's is used"
            );
            let mut finding =
                at_place(Code::ShadowedVariable, place_of(&variable.name.basis), message);
            finding.related.extend(
                place_of(&agent.name.basis)
                    .map(|place| environment::Related { place, message: "the agent's".to_owned() }),
            );
            findings.push(finding);
        }
    }
    findings
}
