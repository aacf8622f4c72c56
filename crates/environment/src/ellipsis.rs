//! Ellipsis environment files: generation e3 whole, e4's hooks, and the others by name.

mod append;
mod base;
mod fields;
mod measure;
mod recognise;
mod rules;
mod stages;

use crate::dialect::{Format, Kind};
use crate::standalone::Standalone;
use crate::standalone::definition::{Definition, Outline, assumed, documented};
use crate::yaml::Node;
use crate::{
    Accounts, Assumption, Basis, Checkout, Compute, Dialect, EnvKey, OnMissing,
    ResolvedEnvironment, Reuse, ReuseLayer, Sourced, Variable, VariableLayer, VariableValue,
};
use fields::{DEFINITION, E4_HOOKS, PAGE, SCHEMA};

pub(crate) const FORMAT: Format = Format {
    dialect: Dialect::Ellipsis,
    word: "ellipsis",
    home: "agents/",
    fields: &DEFINITION,
    kind: Kind::Standalone(&STANDALONE),
};

const STANDALONE: Standalone = Standalone {
    dialect: Dialect::Ellipsis,
    name: "Ellipsis",
    folders: &["agents", ".agents", "ellipsis", ".ellipsis"],
    endings: &[".yaml", ".yml"],
    files: &[],
    mark: "ellipsis",
    recognise: recognise::recognise,
    read,
};

/// Where sessions start and repositories land.
const ROOT: &str = "/sandbox";

fn read(definition: &mut Definition<'_>) -> Option<ResolvedEnvironment> {
    definition.check(&DEFINITION, "environment");
    rules::check(definition);
    let is_e4 = E4_HOOKS.iter().any(|hook| definition.entry(&["hooks", hook]).is_some());
    let bounds = if is_e4 { &measure::E4 } else { &measure::E3 };
    let compute = Compute {
        cpu_millis: measure::cpu(definition, bounds)
            .or_else(|| Some(documented(if is_e4 { 2000 } else { 1000 }, SCHEMA))),
        memory_mib: measure::memory(definition, bounds).or_else(|| Some(documented(4096, SCHEMA))),
        memory_unit: Some("binary".to_owned()),
        disk_mib: None,
        run_timeout_s: measure::timeout(definition, bounds)
            .or_else(|| Some(documented(3600, SCHEMA))),
    };
    let runs = match definition.entry(&["image", "dockerfile_append"]) {
        Some(entry) if entry.value.as_text().is_some() => {
            let text = definition.trace.text(&entry.value);
            append::read(definition, &entry.value, &text)
        }
        Some(_) | None => Vec::new(),
    };
    let base = definition.vendor_base(Dialect::Ellipsis, &base::BASE)?;
    let mut environment = definition.environment(Outline {
        dialect: Dialect::Ellipsis,
        profile: if is_e4 { "e4" } else { "e3" },
        fields: &DEFINITION,
        base,
        accounts: accounts(),
        workdir: documented(ROOT.to_owned(), PAGE),
        assumptions: ASSUMPTIONS,
    });
    environment.origin.name = definition.text(&["ellipsis", "name"]);
    environment.origin.description = definition.text(&["ellipsis", "description"]);
    environment.checkouts = checkouts(definition);
    environment.variables = definition
        .items(&["variables"])
        .iter()
        .filter_map(|item| variable(definition, item))
        .collect();
    environment.stages = stages::stages(definition, runs, !environment.checkouts.is_empty());
    environment.compute = compute;
    environment.reuse = reuse();
    if definition.entry(&["hooks", "build_base", "inputs"]).is_some() {
        environment.assumptions.push(Assumption::from(&HOOK_INPUTS));
    }
    Some(environment)
}

/// What differs where the first hook names its inputs.
const HOOK_INPUTS: (&str, &str) = (
    "hook-inputs",
    "the platform runs `hooks.build_base` before the checkout, with its `inputs` alone; here it runs behind it",
);

const ASSUMPTIONS: &[(&str, &str)] = &[
    (
        "script-shell",
        "the interpreter of setup and hooks is not published; here it is `/bin/bash -c`",
    ),
    ("session-account", "the sandbox user's name and home are not published; here it is `sandbox`"),
    (
        "platform-variables",
        "the platform's own variables (`GH_TOKEN`, `ELLIPSIS_SESSION_ID`, …) and its `agent` command are not there",
    ),
];

fn accounts() -> Accounts {
    let user = "the sandbox user's name is not published";
    Accounts {
        build: assumed("root".to_owned(), "nothing published says who runs image layers"),
        session: assumed("sandbox".to_owned(), user),
        home: assumed("/home/sandbox".to_owned(), user),
        login_shell: Sourced { value: "/bin/bash".to_owned(), basis: Basis::Unknown },
    }
}

/// The listed repositories, and the one that the session is started for.
fn checkouts(definition: &Definition<'_>) -> Vec<Checkout> {
    let items = definition.items(&["repositories"]).iter();
    let mut checkouts: Vec<Checkout> =
        items.filter_map(|item| checkout(definition, item)).collect();
    let Some(at_hand) = &definition.options.repository else { return checkouts };
    let listed = checkouts.iter().any(|one| one.repository.value.eq_ignore_ascii_case(at_hand));
    let name = at_hand.rsplit('/').next().unwrap_or(at_hand);
    let path = format!("{ROOT}/{name}");
    if !listed && !checkouts.iter().any(|one| one.path.value == path) {
        checkouts.push(Checkout {
            repository: documented(at_hand.clone(), PAGE),
            path: documented(path, PAGE),
            reference: None,
        });
    }
    checkouts
}

fn checkout(definition: &Definition<'_>, item: &Node) -> Option<Checkout> {
    let map = item.as_map()?;
    let text = |key: &str| map.get(key).and_then(|entry| definition.text_of(entry));
    let name = text("name")?;
    let at_hand = definition.options.repository.as_deref();
    let account = at_hand.and_then(|slug| slug.split_once('/')).map(|(owner, _)| owner.to_owned());
    let owner = text("owner").map(|owner| owner.value).or(account);
    let repository = match owner {
        Some(owner) => format!("{owner}/{}", name.value),
        None => name.value.clone(),
    };
    let path = format!("{ROOT}/{}", name.value);
    Some(Checkout {
        repository: Sourced { value: repository, basis: name.basis },
        path: documented(path, PAGE),
        reference: text("ref"),
    })
}

fn variable(definition: &Definition<'_>, item: &Node) -> Option<Variable> {
    let map = item.as_map()?;
    let written = map.get("name").and_then(|entry| definition.text_of(entry))?;
    let name: Sourced<EnvKey> =
        Sourced { value: written.value.parse().ok()?, basis: written.basis.clone() };
    let value = match map.get("value").filter(|entry| !entry.value.is_null()) {
        Some(entry) => VariableValue::Literal { text: definition.text_of(entry)? },
        None => VariableValue::Secret {
            name: Sourced { value: written.value.parse().ok()?, basis: written.basis },
            on_missing: OnMissing::Fail,
        },
    };
    Some(Variable { name, value, layer: VariableLayer::Environment })
}

fn reuse() -> Reuse {
    let layer = |name: &str, parts: &[&str]| ReuseLayer {
        name: name.to_owned(),
        parts: parts.iter().map(|part| (*part).to_owned()).collect(),
        ttl_s: None,
    };
    Reuse {
        layers: vec![
            layer("image", &["base", "dockerfile_append"]),
            layer("snapshot", &["image", "repositories", "commits", "image.setup"]),
        ],
    }
}
