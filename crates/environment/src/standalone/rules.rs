//! Rules that more than one format of `name` and `config` has.

use super::definition::{Definition, assumed};
use crate::check::{Field, at};
use crate::fault::{Fault, quote};
use crate::packages::Manager;
use crate::{Code, Network, Sourced, Text, network};

/// What a check of a self-hosted environment says nothing about.
pub(crate) const SELF_HOSTED: (&str, &str) = (
    "self-hosted",
    "the sandbox is a machine of yours; what is tried here is the stand-in of the platform's own image",
);

/// Whether the sandbox is the author's own machine.
pub(crate) fn is_self_hosted(definition: &Definition<'_>) -> bool {
    definition.text(&["config", "type"]).is_some_and(|kind| kind.value == "self_hosted")
}

/// Refuses what stands beside `type: self_hosted`, but for the keys that may.
pub(crate) fn self_hosted(definition: &mut Definition<'_>, allowed: &[&str]) {
    if !is_self_hosted(definition) {
        return;
    }
    for entry in definition.entries(&["config"]) {
        let key = &*entry.key.text;
        if allowed.contains(&key) || entry.value.is_null() {
            continue;
        }
        let message = format!("`config.{key}` beside `type: self_hosted`");
        let fault = Fault::new(Code::SelfHosted, entry.key.span, message)
            .expected("exactly `{\"type\": \"self_hosted\"}`")
            .hint("remove it, or write `type: cloud`");
        definition.push(fault);
    }
}

/// Checks the hosts of `config.networking`, and that they narrow something.
pub(crate) fn hosts(definition: &mut Definition<'_>, code: Code) {
    for item in definition.items(&["config", "networking", "allowed_hosts"]) {
        let Some(text) = item.as_text() else { continue };
        if let Some((wrong, hint)) = network::wrong_with(text) {
            let fault = Fault::new(code, item.span(), format!("{} {wrong}", quote(text)))
                .expected("a bare host name, or `*.` and a host name")
                .maybe_hint(hint);
            definition.push(fault);
        }
    }
    let word = definition.text(&["config", "networking", "type"]);
    if word.is_none_or(|word| word.value != "unrestricted") {
        return;
    }
    for key in ["allowed_hosts", "allow_package_managers", "allow_mcp_servers"] {
        let path = ["config", "networking", key];
        let Some(entry) = definition.entry(&path) else { continue };
        let narrows = !definition.items(&path).is_empty() || definition.flag(&path, "").value;
        if narrows {
            let message = format!("`{key}` beside `type: unrestricted` opens nothing more");
            let fault = Fault::new(Code::NetworkHostsUnused, entry.key.span, message);
            definition.push(fault.hint("write `type: limited`, or remove it"));
        }
    }
}

/// What the session may reach. Left out, it is everything.
pub(crate) fn network(definition: &Definition<'_>, page: &str) -> Network {
    let text = |path: &[&str]| definition.text(path).map(|text| text.value);
    if text(&["config", "networking", "type"]).as_deref() != Some("limited") {
        return Network::Unrestricted;
    }
    let hosts = definition.items(&["config", "networking", "allowed_hosts"]).iter();
    Network::Limited {
        hosts: hosts
            .filter_map(|item| {
                let text = item.as_text()?.to_owned();
                Some(definition.trace.authored(text, item.span()))
            })
            .collect(),
        package_managers: definition
            .flag(&["config", "networking", "allow_package_managers"], page),
        mcp_servers: definition.flag(&["config", "networking", "allow_mcp_servers"], page),
    }
}

/// The packages of one manager, each checked.
pub(crate) fn packages(definition: &mut Definition<'_>, manager: &Manager) -> Vec<Text> {
    let path = ["config", "packages", manager.name];
    let (config, packages) = (Field::root("config"), "packages");
    let list = config.key(packages);
    let list = list.key(manager.name);
    let mut specs = Vec::new();
    for (index, item) in definition.items(&path).iter().enumerate() {
        manager.check(&mut definition.checks, list.index(index), item);
        if item.as_text().is_some_and(|text| !text.trim().is_empty()) {
            specs.push(definition.trace.text(item));
        }
    }
    specs
}

/// The environment's name; the file's where none is written.
pub(crate) fn name(definition: &Definition<'_>) -> Option<Sourced<String>> {
    let file = || {
        let path = definition.trace.place(definition.span()).file;
        let name = path.as_str().rsplit('/').next()?.split('.').next()?.to_owned();
        Some(assumed(name, "no name is written: this is the file's"))
    };
    definition.text(&["name"]).or_else(file)
}

/// Where to point for `config.networking`: at `type`, else at the mapping.
pub(crate) fn networking_span(definition: &Definition<'_>) -> crate::yaml::Span {
    let entry = definition
        .entry(&["config", "networking", "type"])
        .or_else(|| definition.entry(&["config", "networking"]));
    entry.map_or_else(|| definition.span(), at)
}
