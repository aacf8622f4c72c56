//! Qoder Cloud Agents environments: generation q3, as created and as returned, JSON or YAML.

mod base;
mod fields;
mod recognise;
mod rules;

use crate::dialect::{Format, Kind};
use crate::packages::{APT, Manager, NPM, PIP};
use crate::standalone::definition::{Definition, Outline, assumed, documented};
use crate::standalone::{Standalone, rules as shared, stage};
use crate::{
    Account, Accounts, Assumption, Basis, Body, Dialect, OnFailure, Persists, Repeat,
    ResolvedEnvironment, Scope, Sourced, Stage, StageKind, Trigger, Workdir,
};
use fields::{CONTAINER, DEFINITION, PAGE, SCHEMA};

pub(crate) const FORMAT: Format = Format {
    dialect: Dialect::Qoder,
    word: "qoder",
    home: ".qoder/",
    fields: &DEFINITION,
    kind: Kind::Standalone(&STANDALONE),
};

const STANDALONE: Standalone = Standalone {
    dialect: Dialect::Qoder,
    name: "Qoder",
    // The platform takes objects through its API and looks into no repository: the folder is ours.
    folders: &[".qoder"],
    endings: &[".yaml", ".yml", ".json"],
    files: &[],
    mark: "config",
    recognise: recognise::recognise,
    read,
};

/// The managers that the platform installs with. Their order is not published; this is the table's.
const MANAGERS: [&Manager; 3] = [&APT, &NPM, &PIP];
/// The limit of `setup_script`, in seconds.
const SCRIPT_TIMEOUT_S: u64 = 600;

fn read(definition: &mut Definition<'_>) -> Option<ResolvedEnvironment> {
    definition.check(&DEFINITION, "environment");
    let returned = |key: &str| definition.map.get(key).is_some();
    let is_forward = ["identity_id", "icon_url", "binding_info"].iter().any(|key| returned(key));
    let is_cn = definition.text(&["config", "type"]).is_some_and(|kind| kind.value == "managed");
    rules::check(definition, is_forward);
    let failure = OnFailure {
        code: "setup_script".to_owned(),
        scope: if is_forward { Scope::Environment } else { Scope::Session },
    };
    let stages = stages(definition, &failure);
    let self_hosted = shared::is_self_hosted(definition);
    let base = definition.vendor_base(Dialect::Qoder, &base::BASE)?;
    let mut environment = definition.environment(Outline {
        dialect: Dialect::Qoder,
        profile: if is_forward {
            "qf"
        } else if is_cn {
            "qc"
        } else {
            "q3"
        },
        fields: &DEFINITION,
        base,
        accounts: accounts(),
        workdir: documented("/app".to_owned(), CONTAINER),
        assumptions: ASSUMPTIONS,
    });
    environment.origin.name = shared::name(definition);
    environment.origin.description = definition.text(&["description"]);
    environment.stages = stages;
    environment.network = shared::network(definition, SCHEMA);
    if self_hosted {
        environment.assumptions.push(Assumption::from(&shared::SELF_HOSTED));
    }
    Some(environment)
}

const ASSUMPTIONS: &[(&str, &str)] = &[
    (
        "package-order",
        "the order of the package managers is not published; here it is apt, npm, pip",
    ),
    (
        "script-account",
        "only the CN edition's page says that `setup_script` runs as root; here it does",
    ),
    ("script-folder", "where `setup_script` starts is not published; here it is `/app`"),
    (
        "session-account",
        "the account of the agent is not published; here it is root with the home `/data`",
    ),
];

fn accounts() -> Accounts {
    Accounts {
        build: assumed("root".to_owned(), "packages of apt need root; the page does not say it"),
        session: Sourced { value: "root".to_owned(), basis: Basis::Unknown },
        home: documented("/data".to_owned(), CONTAINER),
        login_shell: documented("/bin/bash".to_owned(), PAGE),
    }
}

/// Packages, then the script: both when the sandbox is made, and again when it is made anew.
fn stages(definition: &mut Definition<'_>, failure: &OnFailure) -> Vec<Stage> {
    let mut stages = Vec::new();
    for manager in MANAGERS {
        let specs = shared::packages(definition, manager);
        let persists = Persists::Sandbox;
        stages.extend(stage::packages(manager, specs, Trigger::SandboxCreate, persists, failure));
    }
    for stage in &mut stages {
        stage.repeat = Repeat::OncePerSandbox;
    }
    let Some(text) = definition.script(&["config", "setup_script"]) else { return stages };
    let body = Body::Commands { commands: vec![text] };
    let script = stage::stage("setup_script", StageKind::Script, Trigger::SandboxCreate, body);
    stages.extend(script.map(|mut script| {
        script.user = Account::Root;
        script.shell = Some(vec!["/bin/bash".to_owned(), "-lc".to_owned()]);
        script.workdir = Workdir::Session;
        script.timeout_s = Some(documented(SCRIPT_TIMEOUT_S, SCHEMA));
        script.repeat = Repeat::OncePerSandbox;
        script.persists = Persists::Sandbox;
        script.on_failure = failure.clone();
        script
    }));
    stages
}
