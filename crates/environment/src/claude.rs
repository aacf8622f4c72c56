//! Claude Managed Agents environments: generation c2, as created and as returned, JSON or YAML.

mod base;
mod fields;
mod recognise;

use crate::dialect::{Format, Kind};
use crate::fault::Fault;
use crate::packages::{APT, CARGO, GEM, GO, Manager, NPM, PIP};
use crate::standalone::definition::{Definition, Outline, documented};
use crate::standalone::{Standalone, rules, stage};
use crate::{
    Accounts, Assumption, Basis, Code, Dialect, OnFailure, Persists, ResolvedEnvironment, Reuse,
    ReuseLayer, Scope, Sourced, Stage, Trigger,
};
use fields::{API, DEFINITION, PAGE, SANDBOX};

pub(crate) const FORMAT: Format = Format {
    dialect: Dialect::Claude,
    word: "claude",
    home: "environment.yaml",
    fields: &DEFINITION,
    kind: Kind::Standalone(&STANDALONE),
};

const STANDALONE: Standalone = Standalone {
    dialect: Dialect::Claude,
    name: "Claude",
    // The published command line reads a file that it is given; the folder is ours.
    folders: &[".claude/environments"],
    endings: &[".yaml", ".yml", ".json"],
    files: &FILES,
    mark: "config",
    recognise: recognise::recognise,
    read,
};

/// The published name of the file, and its other endings.
const FILES: [&str; 3] = ["environment.yaml", "environment.yml", "environment.json"];
/// The managers, in the published order.
const MANAGERS: [&Manager; 6] = [&APT, &CARGO, &GEM, &GO, &NPM, &PIP];

fn read(definition: &mut Definition<'_>) -> Option<ResolvedEnvironment> {
    definition.check(&DEFINITION, "environment");
    rules::self_hosted(definition, &["type"]);
    rules::hosts(definition, Code::NetworkHost);
    packages_need_their_hosts(definition);
    let stages = stages(definition);
    let self_hosted = rules::is_self_hosted(definition);
    let base = definition.vendor_base(Dialect::Claude, &base::BASE)?;
    let mut environment = definition.environment(Outline {
        dialect: Dialect::Claude,
        profile: "c2",
        fields: &DEFINITION,
        base,
        accounts: accounts(),
        workdir: documented("/workspace".to_owned(), SANDBOX),
        assumptions: ASSUMPTIONS,
    });
    environment.origin.name = rules::name(definition);
    environment.origin.description = definition.text(&["description"]);
    environment.stages = stages;
    environment.network = rules::network(definition, PAGE);
    environment.reuse = Reuse {
        layers: vec![ReuseLayer {
            name: "image".to_owned(),
            parts: vec!["base".to_owned(), "packages".to_owned()],
            ttl_s: None,
        }],
    };
    if self_hosted {
        environment.assumptions.push(Assumption::from(&rules::SELF_HOSTED));
    }
    Some(environment)
}

const ASSUMPTIONS: &[(&str, &str)] = &[
    (
        "install-command",
        "the commands that install packages are not published; here they are each manager's usual one, as root",
    ),
    (
        "install-failure",
        "what the platform does when a package cannot be installed is not published; here the check fails",
    ),
    ("session-account", "the account of the agent is not published; here it is root"),
];

fn accounts() -> Accounts {
    let unknown = |value: &str| Sourced { value: value.to_owned(), basis: Basis::Unknown };
    Accounts {
        build: unknown("root"),
        session: unknown("root"),
        home: unknown("/root"),
        login_shell: unknown("/bin/bash"),
    }
}

/// Packages of each manager, cached with the environment.
fn stages(definition: &mut Definition<'_>) -> Vec<Stage> {
    let failure = OnFailure { code: "packages".to_owned(), scope: Scope::Environment };
    let mut stages = Vec::new();
    for manager in MANAGERS {
        let specs = rules::packages(definition, manager);
        let persists = Persists::Image;
        stages.extend(stage::packages(manager, specs, Trigger::ImageBuild, persists, &failure));
    }
    stages
}

/// Under `limited`, packages need the flag: the platform answers 400 without it.
fn packages_need_their_hosts(definition: &mut Definition<'_>) {
    let limited = definition
        .text(&["config", "networking", "type"])
        .is_some_and(|word| word.value == "limited");
    let path = ["config", "networking", "allow_package_managers"];
    if !limited || definition.flag(&path, API).value {
        return;
    }
    let asked = MANAGERS.iter().find_map(|manager| {
        let list = ["config", "packages", manager.name];
        definition.entry(&list).filter(|_| !definition.items(&list).is_empty())
    });
    let Some(asked) = asked else { return };
    let at = definition
        .entry(&path)
        .map_or_else(|| rules::networking_span(definition), crate::check::at);
    let message = "the network is limited, and `allow_package_managers` is not `true`";
    let fault = Fault::new(Code::NetworkPackages, at, message)
        .expected("`allow_package_managers: true`")
        .hint(
            "write it below `networking`; listing the registries in `allowed_hosts` is not enough",
        )
        .related(asked.key.span, "packages are asked for here");
    definition.push(fault);
}
