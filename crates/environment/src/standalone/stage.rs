//! Stages of the formats whose files stand alone.

use crate::packages::Manager;
use crate::{
    Account, Body, OnFailure, Persists, Repeat, Scope, Stage, StageId, StageKind, Text, TextShape,
    Trigger, Workdir,
};

/// A stage that says of itself only what it is; the fields that matter are set by the caller.
pub(crate) fn stage(id: &str, kind: StageKind, trigger: Trigger, body: Body) -> Option<Stage> {
    let id: StageId = id.parse().ok()?;
    Some(Stage {
        id,
        kind,
        name: None,
        trigger,
        also_at: Vec::new(),
        user: Account::Root,
        shell: None,
        prelude: None,
        body,
        workdir: Workdir::Inherit,
        timeout_s: None,
        repeat: Repeat::OncePerImage,
        persists: Persists::Image,
        cache: None,
        on_failure: OnFailure { code: "image_build".to_owned(), scope: Scope::Image },
    })
}

/// The packages of one manager, as root; before it what puts the manager into a stand-in that lacks it.
pub(crate) fn packages(
    manager: &Manager,
    specs: Vec<Text>,
    trigger: Trigger,
    persists: Persists,
    on_failure: &OnFailure,
) -> Vec<Stage> {
    if specs.is_empty() {
        return Vec::new();
    }
    let mut stages = Vec::new();
    for (index, tool) in manager.tools.iter().enumerate() {
        let why = "the stand-in lacks a manager that the platform's image has".to_owned();
        let text = Text {
            value: (*tool).to_owned(),
            basis: crate::Basis::Assumed { why },
            shape: TextShape::Opaque,
        };
        let id = format!("stand-in[{}][{index}]", manager.name);
        stages.extend(stage(&id, StageKind::Bootstrap, trigger, Body::Instruction { text }));
    }
    let body = Body::Packages { manager: manager.name.to_owned(), specs };
    let id = format!("packages[{}]", manager.name);
    if let Some(mut install) = stage(&id, StageKind::PackageInstall, trigger, body) {
        install.shell = Some(vec!["/bin/sh".to_owned(), "-c".to_owned()]);
        install.prelude = Some(manager.command.to_owned());
        install.persists = persists;
        install.on_failure = on_failure.clone();
        stages.push(install);
    }
    stages
}
