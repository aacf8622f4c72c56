//! What the table of fields cannot say: names that clash, hooks that cannot be mixed, forms of MCP servers.

use std::collections::HashMap;

use super::fields::{E3_HOOKS, E4_HOOKS, GENERATION_E4};
use crate::Code;
use crate::check::at;
use crate::fault::{Fault, quote};
use crate::standalone::definition::Definition;
use crate::yaml::{Node, Span};

pub(super) fn check(definition: &mut Definition<'_>) {
    repositories(definition);
    duplicates(definition, &["repositories"], "repositories");
    duplicates(definition, &["variables"], "variables");
    hooks(definition);
    for item in definition.items(&["mcp_servers"]) {
        mcp_server(definition, item);
    }
}

fn repositories(definition: &mut Definition<'_>) {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    for item in definition.items(&["repositories"]) {
        let Some(map) = item.as_map() else { continue };
        for key in ["name", "owner"] {
            let Some(entry) = map.get(key) else { continue };
            let Some(text) = entry.value.as_text().filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            if text.chars().all(good) && !matches!(text, "." | "..") {
                continue;
            }
            let message = format!("the repository's `{key}` is {}", quote(text));
            let parts: Vec<&str> = text.trim_end_matches(".git").rsplit('/').take(2).collect();
            let hint = match parts.as_slice() {
                [name, owner] if !name.is_empty() && !owner.is_empty() && !owner.contains(':') => {
                    Some(format!("write `owner: {owner}` and `name: {name}`"))
                }
                _ => None,
            };
            let fault = Fault::new(Code::InvalidRepository, at(entry), message)
                .expected("the name alone: letters, digits, `-`, `_` and `.`")
                .maybe_hint(hint);
            definition.push(fault);
        }
        let Some(entry) = map.get("ref") else { continue };
        let Some(text) = entry.value.as_text() else { continue };
        if text.chars().any(|c| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c))
            || text.contains("..")
            || text.starts_with('-')
        {
            let message = format!("the repository's `ref` is {}", quote(text));
            let fault = Fault::new(Code::InvalidRepository, at(entry), message);
            definition.push(fault.expected("a branch, a tag or a commit"));
        }
    }
}

fn duplicates(definition: &mut Definition<'_>, path: &[&str], list: &str) {
    let mut first: HashMap<&str, Span> = HashMap::new();
    for item in definition.items(path) {
        let Some(entry) = item.as_map().and_then(|map| map.get("name")) else { continue };
        let Some(name) = entry.value.as_text() else { continue };
        match first.get(name) {
            Some(first) => {
                let message = format!("`{list}` has {} twice", quote(name));
                let fault = Fault::new(Code::DuplicateName, at(entry), message)
                    .related(*first, "first written here");
                definition.push(fault);
            }
            None => {
                first.insert(name, at(entry));
            }
        }
    }
}

fn hooks(definition: &mut Definition<'_>) {
    let written = |names: &[&str]| -> Vec<Span> {
        let entries = names.iter().filter_map(|name| definition.entry(&["hooks", name]));
        entries.map(|entry| entry.key.span).collect()
    };
    let (old, new) = (written(&E3_HOOKS), written(&E4_HOOKS));
    if let (Some(old), Some(new)) = (old.first(), new.first()) {
        let message = format!("hooks of {GENERATION_E4} stand beside `post_start` or `post_clone`");
        let fault = Fault::new(Code::HooksMixed, *old, message)
            .expected("hooks of one generation")
            .hint("write `before_start` for what runs in every session")
            .related(*new, "a hook of generation e4");
        definition.push(fault);
    }
    if let (Some(image), Some(new)) = (definition.entry(&["image"]), new.first()) {
        let message = format!("`image` is gone in {GENERATION_E4}, whose hooks the file has");
        let fault = Fault::new(Code::OtherGeneration, image.key.span, message)
            .expected("hooks alone")
            .hint("write `hooks.build_base` for `dockerfile_append`, `hooks.after_checkout` for `setup`")
            .related(*new, "a hook of generation e4");
        definition.push(fault);
    }
    let Some(inputs) = definition.entry(&["hooks", "build_base", "inputs"]) else { return };
    let message = "the inputs of `hooks.build_base` are not isolated here";
    definition.push(Fault::new(Code::HookInputs, inputs.key.span, message));
    for item in definition.items(&["hooks", "build_base", "inputs"]) {
        let Some(text) = item.as_text() else { continue };
        if text.starts_with('/') || text.split('/').any(|part| part == "..") || text.contains('*') {
            let message = format!("{} is not a file below `/sandbox`", quote(text));
            let fault = Fault::new(Code::InvalidValue, item.span(), message);
            definition
                .push(fault.expected("an exact file, relative, with the repository's name first"));
        }
    }
}

fn mcp_server(definition: &mut Definition<'_>, item: &Node) {
    let Some(map) = item.as_map() else { return };
    let (command, url) = (map.get("command"), map.get("url"));
    if let (Some(command), Some(url)) = (command, url) {
        let fault = Fault::new(Code::InvalidMcpServer, url.key.span, "both `command` and `url`")
            .expected("one of them")
            .related(command.key.span, "the command");
        definition.push(fault);
    }
    let partners = [("args", "command"), ("env", "command"), ("headers", "url")];
    for (key, partner) in partners {
        if let (Some(entry), None) = (map.get(key), map.get(partner)) {
            let message = format!("`{key}` without `{partner}`");
            let fault = Fault::new(Code::InvalidMcpServer, entry.key.span, message);
            definition.push(fault.expected(format!("`{partner}`")));
        }
    }
    if let Some(url) = url
        && let Some(text) = url.value.as_text()
        && !text.starts_with("https://")
        && !text.starts_with("http://")
    {
        let message = format!("{} is not an address", quote(text));
        let fault = Fault::new(Code::InvalidMcpServer, at(url), message);
        definition.push(fault.expected("an address with `https://`"));
    }
}
