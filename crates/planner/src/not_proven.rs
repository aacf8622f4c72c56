//! What a passing check of a plan does not prove.

use environment::{Body, Dialect, Network, ResolvedEnvironment, StageKind};

use crate::{NotProven, Plan};

/// The list, in the order in which it matters to the reader.
pub(crate) fn not_proven(environment: &ResolvedEnvironment, plan: &Plan) -> Vec<NotProven> {
    let mut list = Vec::new();
    let mut add = |what: &str, why: String| list.push(NotProven { what: what.to_owned(), why });
    let stages = |kind| environment.stages.iter().filter(move |stage| stage.kind == kind);

    for assumption in &environment.assumptions {
        add(&assumption.what, assumption.why.clone());
    }
    if stages(StageKind::Bootstrap).any(|stage| stage.body == Body::Platform) {
        add(
            "harness-packages",
            "the platform also installs its coding harnesses and its own packages; here only git and passwd are".to_owned(),
        );
    }
    let is_auto = environment.origin.dialect == Dialect::Auto;
    if is_auto && stages(StageKind::ImageInstruction).next().is_some() {
        add(
            "hosted-step-shell",
            "the hosted builder runs steps with `/bin/bash -l -c` in one virtual machine; here each is a container of its own with `/bin/sh -c`".to_owned(),
        );
    }
    if is_auto && stages(StageKind::Script).next().is_some() {
        add(
            "snapshot-cache",
            "setup runs once from nothing; the platform runs it when it makes the snapshot and again, warm, in every session".to_owned(),
        );
    }
    for checkout in &environment.checkouts {
        let at_hand =
            plan.checkout.as_ref().is_some_and(|at_hand| at_hand.path == checkout.path.value);
        if !at_hand {
            let (repository, path) = (&checkout.repository.value, &checkout.path.value);
            add("other-mounts", format!("{repository} is not at hand, so nothing is at {path}"));
        }
    }
    if plan.checkout.is_some() {
        add(
            "git-history",
            "the checkout has the commit's files and no `.git`; the platform mounts a clone"
                .to_owned(),
        );
    }
    for variable in &plan.variables {
        if let Some(secret) = &variable.secret {
            let name = &variable.name;
            add(
                "secrets",
                format!("{name} is the platform's secret {secret}, which is not available here"),
            );
        }
    }
    if !matches!(environment.network, Network::Unspecified | Network::Unrestricted) {
        add("network", "the definition limits the network; here it is not limited".to_owned());
    } else {
        add("network", "what the platform's network lets through is not published".to_owned());
    }
    list
}
