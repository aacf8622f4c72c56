//! What happens, in order: base, `dockerfile_append`, checkout, `image.setup`, hooks.

use super::fields::{GUIDE, SCHEMA};
use crate::standalone::definition::{Definition, documented};
use crate::standalone::stage::stage;
use crate::yaml::Entry;
use crate::{
    Account, Body, Cache, OnFailure, Persists, Repeat, Scope, Stage, StageKind, Text, Trigger,
    Workdir,
};

/// The limit of `image.setup`, in seconds.
const SETUP_TIMEOUT_S: u64 = 600;
/// The limit of each hook, in seconds.
const HOOK_TIMEOUT_S: u64 = 300;

/// A script, and how it is run.
struct Script<'s> {
    id: &'s str,
    text: Text,
    trigger: Trigger,
    also_at: &'s [Trigger],
    timeout_s: u64,
    persists: Persists,
    cache: Option<Cache>,
}

pub(super) fn stages(definition: &Definition<'_>, runs: Vec<Text>, checkouts: bool) -> Vec<Stage> {
    let mut stages = Vec::new();
    for (index, text) in runs.into_iter().enumerate() {
        let id = format!("dockerfile_append[{index}]");
        let body = Body::Instruction { text };
        stages.extend(stage(&id, StageKind::ImageInstruction, Trigger::ImageBuild, body));
    }
    stages.extend(stage("user", StageKind::UserCreation, Trigger::ImageBuild, Body::Platform));
    if checkouts {
        let checkout = stage("checkout", StageKind::Checkout, Trigger::SourceBuild, Body::Platform);
        stages.extend(checkout.map(|mut checkout| {
            checkout.user = Account::Unknown;
            checkout.persists = Persists::Snapshot;
            checkout.on_failure =
                OnFailure { code: "missing_repo_access".to_owned(), scope: Scope::Session };
            checkout
        }));
    }
    stages.extend(scripts(definition).into_iter().filter_map(script));
    for stage in &mut stages {
        if stage.on_failure.code == "image_build" {
            // Every script and layer that fails ends the session with one and the same word.
            stage.on_failure =
                OnFailure { code: "lifecycle_hook_failed".to_owned(), scope: Scope::Session };
        }
    }
    stages
}

fn scripts<'s>(definition: &Definition<'_>) -> Vec<Script<'s>> {
    let mut scripts = Vec::new();
    if let Some(text) = hook(definition, "build_base") {
        let inputs = definition.items(&["hooks", "build_base", "inputs"]).iter();
        let files = inputs
            .filter_map(|item| {
                let text = item.as_text()?.to_owned();
                Some(definition.trace.authored(text, item.span()))
            })
            .collect();
        scripts.push(Script {
            id: "hooks.build_base",
            text,
            trigger: Trigger::ImageBuild,
            also_at: &[],
            timeout_s: SETUP_TIMEOUT_S,
            persists: Persists::Image,
            cache: Some(Cache { files, ..Cache::default() }),
        });
    }
    let built = [
        ("image.setup", definition.script(&["image", "setup"])),
        ("hooks.after_checkout", hook(definition, "after_checkout")),
    ];
    for (id, text) in built {
        scripts.extend(text.map(|text| Script {
            id,
            text,
            trigger: Trigger::SourceBuild,
            also_at: &[],
            timeout_s: SETUP_TIMEOUT_S,
            persists: Persists::Snapshot,
            cache: None,
        }));
    }
    let each: [(&str, &str, &[Trigger]); 3] = [
        ("hooks.post_start", "post_start", &[]),
        ("hooks.post_clone", "post_clone", &[]),
        ("hooks.before_start", "before_start", &[Trigger::SessionResume]),
    ];
    for (id, name, also_at) in each {
        scripts.extend(hook(definition, name).map(|text| Script {
            id,
            text,
            trigger: Trigger::SessionStart,
            also_at,
            timeout_s: HOOK_TIMEOUT_S,
            persists: Persists::None,
            cache: None,
        }));
    }
    scripts
}

/// A hook is a text, or a mapping with `run`.
fn hook(definition: &Definition<'_>, name: &str) -> Option<Text> {
    let is_map = |entry: &Entry| entry.value.as_map().is_some();
    match definition.entry(&["hooks", name]) {
        Some(entry) if is_map(entry) => definition.script(&["hooks", name, "run"]),
        Some(_) => definition.script(&["hooks", name]),
        None => None,
    }
}

fn script(script: Script<'_>) -> Option<Stage> {
    let Script { id, text, trigger, also_at, timeout_s, persists, cache } = script;
    let body = Body::Commands { commands: vec![text] };
    let mut stage = stage(id, StageKind::Script, trigger, body)?;
    stage.also_at = also_at.to_vec();
    stage.user = Account::Session;
    stage.shell = Some(vec!["/bin/bash".to_owned(), "-c".to_owned()]);
    stage.workdir = Workdir::Path { path: super::ROOT.to_owned() };
    let page = if id.starts_with("image") { GUIDE } else { SCHEMA };
    stage.timeout_s = Some(documented(timeout_s, page));
    stage.repeat = match persists {
        Persists::None => Repeat::EveryTime,
        Persists::Image | Persists::Snapshot | Persists::Sandbox => Repeat::OncePerImage,
    };
    stage.persists = persists;
    stage.cache = cache;
    Some(stage)
}
