//! What happens, in order: the stages of an `auto` environment.

use std::collections::HashMap;

use super::pages::REFERENCE;
use super::setup::Setup;
use crate::{
    Account, Base, Basis, Body, Checkout, OnFailure, Persists, Repeat, Scope, Sourced, Stage,
    StageId, StageKind, Text, Trigger, Workdir,
};

/// The limit of each setup entry, in seconds (field reference: ten minutes).
const SETUP_TIMEOUT_S: u64 = 600;

/// base → probe → bootstrap → steps → account → checkout → setup: the order of the preflight guide. (The field
/// reference counts the account among the layers before `steps`; a portable step relies on neither.)
pub(super) fn stages(
    base: &Base,
    steps: Vec<Text>,
    entries: Vec<Setup>,
    checkouts: &[Checkout],
) -> Vec<Stage> {
    let mut stages = Vec::with_capacity(steps.len() + entries.len() + 4);
    if matches!(base, Base::Image { .. }) {
        stages.extend(platform("probe", StageKind::Probe));
    }
    stages.extend(platform("bootstrap", StageKind::Bootstrap));
    stages.extend(steps.into_iter().enumerate().filter_map(|(at, text)| step(at, text)));
    stages.extend(platform("user", StageKind::UserCreation));
    if !checkouts.is_empty() {
        stages.extend(checkout());
    }
    let mut names: HashMap<String, usize> = HashMap::new();
    for entry in entries {
        let before = names.entry(entry.name.value.clone()).or_default();
        stages.extend(setup(entry, *before));
        *before += 1;
    }
    stages
}

/// A stage of the platform's own, baked into the image as root.
fn platform(id: &str, kind: StageKind) -> Option<Stage> {
    Some(Stage {
        id: id.parse::<StageId>().ok()?,
        kind,
        name: None,
        trigger: Trigger::ImageBuild,
        also_at: Vec::new(),
        user: Account::Root,
        shell: None,
        prelude: None,
        body: Body::Platform,
        workdir: Workdir::Inherit,
        timeout_s: None,
        repeat: Repeat::OncePerImage,
        persists: Persists::Image,
        cache: None,
        on_failure: image_failure(),
    })
}

fn image_failure() -> OnFailure {
    OnFailure { code: "image_build".into(), scope: Scope::Image }
}

fn step(at: usize, text: Text) -> Option<Stage> {
    let mut stage = platform(&format!("steps[{at}]"), StageKind::ImageInstruction)?;
    stage.body = Body::Instruction { text };
    Some(stage)
}

/// The mounts: staged when the snapshot is built, fetched again for each session.
fn checkout() -> Option<Stage> {
    let mut stage = platform("checkout", StageKind::Checkout)?;
    stage.trigger = Trigger::SourceBuild;
    stage.also_at = vec![Trigger::SessionStart];
    stage.user = Account::Unknown;
    stage.repeat = Repeat::EveryTime;
    stage.persists = Persists::Snapshot;
    stage.on_failure = OnFailure { code: "mount".into(), scope: Scope::Session };
    Some(stage)
}

/// One entry of `setup`; `before` others have the same name.
fn setup(entry: Setup, before: usize) -> Option<Stage> {
    let name = &entry.name.value;
    let id = match before {
        0 => format!("setup[{name}]"),
        before => format!("setup[{name}#{}]", before + 1),
    };
    let basis = Basis::DocumentedDefault { source: REFERENCE.into() };
    let mut stage = platform(&id, StageKind::Script)?;
    stage.name = Some(entry.name);
    stage.trigger = Trigger::SourceBuild;
    stage.also_at = vec![Trigger::SessionStart];
    stage.user = Account::Session;
    stage.shell = Some(vec!["/bin/sh".into(), "-lc".into()]);
    stage.prelude = Some("set -eu".into());
    stage.body = Body::Commands { commands: entry.commands };
    stage.workdir = Workdir::Session;
    stage.timeout_s = Some(Sourced { value: SETUP_TIMEOUT_S, basis });
    stage.repeat = Repeat::EveryTime;
    stage.persists = Persists::Snapshot;
    stage.cache = entry.cache;
    stage.on_failure = OnFailure { code: "setup".into(), scope: Scope::Session };
    Some(stage)
}
