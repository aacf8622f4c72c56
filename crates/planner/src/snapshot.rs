//! What the platform's snapshot cache is keyed by, part by part.

use environment::{Body, Dialect, ResolvedEnvironment, StageKind};
use serde_json::{Value, json};

use crate::{InstructionKind, Plan, SnapshotKey, SnapshotPart, digest};

/// The key. The commit is no part of it: mounts are fetched again in every session.
pub(crate) fn key(environment: &ResolvedEnvironment, plan: &Plan) -> SnapshotKey {
    match environment.origin.dialect {
        Dialect::Auto | Dialect::Ellipsis => {}
        // Nothing published speaks of snapshots.
        Dialect::Qoder | Dialect::Claude => return SnapshotKey::default(),
    }
    let part = |name: &str, value: &Value, changes_when: &str| SnapshotPart {
        name: name.to_owned(),
        digest: digest::of(value),
        changes_when: changes_when.to_owned(),
    };
    let layer = environment.reuse.layers.iter().find(|layer| layer.name == "snapshot");
    let keyed_by =
        |what: &str| layer.is_some_and(|layer| layer.parts.iter().any(|part| part == what));
    let mut parts = vec![part(
        "image",
        &image(plan),
        "the base reference's text, a step or the platform's own layers change",
    )];
    if layer.is_some() {
        let mounts_change = if keyed_by("commits") {
            "a repository, its ref or the commit behind it changes"
        } else {
            "a mount's repository, path or ref changes"
        };
        let setup_changes = if keyed_by("setup-commands") {
            "a setup entry, one of its commands or its `cache` object changes (`cache.key` is the lever)"
        } else {
            "a script changes"
        };
        parts.push(part("mounts", &mounts(environment), mounts_change));
        parts.push(part("setup-commands", &setup(environment), setup_changes));
    }
    if keyed_by("working-directory") {
        parts.push(part(
            "working-directory",
            &json!(plan.session.workdir),
            "`workingDirectory` or the first mount's path changes",
        ));
    }
    let pairs: Vec<_> = parts.iter().map(|part| json!([part.name, part.digest])).collect();
    let reusable_for_s = layer.and_then(|layer| layer.ttl_s.as_ref()).map(|ttl| ttl.value);
    SnapshotKey { digest: digest::of(&Value::Array(pairs)), parts, reusable_for_s }
}

/// The base by its text, not by its digest: that is how the hosted cache sees it.
fn image(plan: &Plan) -> Value {
    let of_image = |kind: InstructionKind| match kind {
        InstructionKind::Base
        | InstructionKind::Probe
        | InstructionKind::Bootstrap
        | InstructionKind::Step
        | InstructionKind::Packages => true,
        InstructionKind::UserCreation
        | InstructionKind::Checkout
        | InstructionKind::Session
        | InstructionKind::Setup => false,
    };
    let texts: Vec<_> = plan
        .instructions
        .iter()
        .filter(|instruction| of_image(instruction.kind))
        .map(digest::text_of)
        .collect();
    json!({"platform": plan.platform, "instructions": texts})
}

fn mounts(environment: &ResolvedEnvironment) -> Value {
    environment
        .checkouts
        .iter()
        .map(|checkout| {
            let reference = checkout.reference.as_ref().map(|reference| &reference.value);
            json!([checkout.repository.value, checkout.path.value, reference])
        })
        .collect()
}

fn setup(environment: &ResolvedEnvironment) -> Value {
    let texts = |values: &[environment::Sourced<String>]| -> Value {
        values.iter().map(|value| value.value.clone()).collect()
    };
    let scripts = environment.stages.iter().filter(|stage| stage.kind == StageKind::Script);
    scripts
        .map(|stage| {
            let commands: Vec<_> = match &stage.body {
                Body::Commands { commands } => commands.iter().map(|text| &text.value).collect(),
                Body::Platform | Body::Instruction { .. } | Body::Packages { .. } => Vec::new(),
            };
            let cache = stage.cache.as_ref().map(|cache| {
                json!({
                    "key": cache.key.as_ref().map(|key| &key.value),
                    "files": texts(&cache.files),
                    "paths": texts(&cache.paths),
                })
            });
            let name = stage.name.as_ref().map(|name| &name.value);
            json!({"name": name, "shell": stage.shell, "prelude": stage.prelude, "commands": commands, "cache": cache})
        })
        .collect()
}
