//! The fields of an agent and its environment as data: for the schema, the documentation and `--explain`.
//!
//! The checks of this dialect are written by hand, because they look through imports and templates; a
//! test holds this table to the keys that they know.

use super::pages::REFERENCE;
use crate::shape::{Does, Field, Object, Others, Shape, Texts, Word};

const NAME: Shape = Shape::Text(Texts { least: 1, most: 128, grammar: None });

/// An agent.
pub(super) const AGENT: Object = Object {
    what: "An auto agent with its environment.",
    // The list of an agent's fields is not fully published.
    others: Others::Unpublished,
    fields: &[
        Field::new("name", NAME, Does::Built, "The agent's name.").required().page(REFERENCE),
        Field::new(
            "harness",
            Shape::Word(&[Word::new("claude-code"), Word::new("codex")]),
            Does::Checked,
            "The program that works in the sandbox.",
        )
        .required()
        .page(REFERENCE),
        Field::new(
            "environment",
            Shape::Either(&[Shape::SOME_TEXT, Shape::Object(&ENVIRONMENT)]),
            Does::Built,
            "The environment itself, or the name of one that another agent of the repository defines.",
        )
        .required()
        .page(REFERENCE),
        Field::new("imports", Shape::TEXTS, Does::Built, "Fragments that are merged below this file.").page(REFERENCE),
        Field::new("variables", Shape::Names(&Shape::Anything), Does::Checked, "Values of `{{ $name }}` tokens.").page(REFERENCE),
        Field::new("remove", Shape::Anything, Does::Kept, "Inherited entries that are dropped.").page(REFERENCE),
        Field::new("env", Shape::Names(&SECRET_OR_TEXT), Does::Tried, "Variables of the agent, beside the environment's.").page(REFERENCE),
        Field::new("mounts", Shape::list(&Shape::Object(&MOUNT)), Does::Tried, "Repositories in the sandbox.").page(REFERENCE),
        Field::new("workingDirectory", Shape::SOME_TEXT, Does::Tried, "Where sessions start.")
            .default("the first mount's path")
            .page(REFERENCE),
        Field::new("systemPrompt", Shape::Text(Texts { most: 100_000, ..Texts::ANY }), Does::Checked, "The prompt of the agent.").page(REFERENCE),
        Field::new("initialPrompt", Shape::Text(Texts { most: 20_000, ..Texts::ANY }), Does::Checked, "The first message.").page(REFERENCE),
        Field::new("triggers", Shape::Anything, Does::Kept, "What starts a session."),
        Field::new("tools", Shape::Anything, Does::Kept, "Tools of the agent."),
        Field::new("identity", Shape::Anything, Does::Kept, "Who the agent acts as."),
        Field::new("model", Shape::Anything, Does::Kept, "The model."),
        Field::new("labels", Shape::Anything, Does::Kept, "Labels of the agent."),
        Field::new("annotations", Shape::Anything, Does::Kept, "Annotations of the agent."),
        Field::new("description", Shape::Anything, Does::Kept, "The author's description."),
        Field::new("concurrency", Shape::Anything, Does::Kept, "How many sessions at once."),
        Field::new("replace", Shape::Anything, Does::Kept, "What a new session replaces."),
        Field::new("onReplace", Shape::Anything, Does::Kept, "What happens to a replaced session."),
        Field::new("manages", Shape::Anything, Does::Kept, "What the agent manages."),
    ],
};

/// An inline environment.
pub(super) const ENVIRONMENT: Object = Object {
    what: "An inline environment.",
    others: Others::Refused,
    fields: &[
        Field::new("name", NAME, Does::Built, "The environment's name.").required(),
        Field::new("labels", Shape::Names(&Shape::TEXT), Does::Kept, "Labels."),
        Field::new("annotations", Shape::Names(&Shape::TEXT), Does::Kept, "Annotations."),
        Field::new("image", Shape::Object(&IMAGE), Does::Built, "What the image starts from.")
            .required(),
        Field::new("steps", Shape::TEXTS, Does::Built, "Raw Dockerfile instructions, run as root.")
            .default("[]"),
        Field::new(
            "setup",
            Shape::list(&Shape::Object(&SETUP)),
            Does::Tried,
            "Commands of each session.",
        )
        .default("[]"),
        Field::new(
            "setupCache",
            Shape::Object(&SETUP_CACHE),
            Does::Built,
            "How long a snapshot is reused.",
        ),
        Field::new(
            "resources",
            Shape::Object(&RESOURCES),
            Does::Tried,
            "What the sandbox gets to compute with.",
        ),
        Field::new(
            "env",
            Shape::Names(&SECRET_OR_TEXT),
            Does::Tried,
            "Variables of the environment.",
        )
        .default("{}"),
        Field::new(
            "approvals",
            Shape::Word(&[Word::new("bypass"), Word::new("prompt")]),
            Does::Kept,
            "Whether the codex harness asks before it acts.",
        )
        .default("bypass"),
    ],
};

const IMAGE: Object = Object {
    what: "`{kind: preset, name}` or `{kind: base, ref}`.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "kind",
            Shape::Word(&[Word::new("preset"), Word::new("base")]),
            Does::Built,
            "Which of the two.",
        )
        .required(),
        Field::new("name", Shape::SOME_TEXT, Does::Built, "A runtime preset (`kind: preset`)."),
        Field::new(
            "ref",
            Shape::Text(Texts { least: 1, most: 512, grammar: None }),
            Does::Built,
            "One image reference (`kind: base`).",
        ),
    ],
};

const SETUP: Object = Object {
    what: "Commands that share one shell: `/bin/sh -lc` with `set -eu` in front; ten minutes at most.",
    others: Others::Refused,
    fields: &[
        Field::new("name", NAME, Does::Tried, "Its name.").required(),
        Field::new(
            "commands",
            Shape::List { item: &Shape::TEXT, least: 1, most: usize::MAX },
            Does::Tried,
            "The commands.",
        )
        .required(),
        Field::new(
            "cache",
            Shape::Object(&CACHE),
            Does::Built,
            "What identifies and holds its artefacts.",
        ),
    ],
};

const CACHE: Object = Object {
    what: "What identifies and holds the artefacts of a setup entry.",
    others: Others::Refused,
    fields: &[
        Field::new("key", NAME, Does::Built, "Change it to force a rebuild."),
        Field::new(
            "files",
            Shape::TEXTS,
            Does::Built,
            "Files that identify the artefact, relative.",
        ),
        Field::new("paths", Shape::TEXTS, Does::Built, "Folders under `/home/user` that hold it."),
    ],
};

const SETUP_CACHE: Object = Object {
    what: "How long a snapshot is reused.",
    others: Others::Refused,
    fields: &[
        Field::new("ttl", Shape::SOME_TEXT, Does::Built, "A duration such as `24h`.").default("7d")
    ],
};

const RESOURCES: Object = Object {
    what: "What the sandbox gets to compute with; at least one of the two.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "cpuCount",
            Shape::Whole { least: 1, most: u32::MAX as u64 },
            Does::Tried,
            "Processors.",
        ),
        Field::new(
            "memoryMB",
            Shape::Whole { least: 128, most: u32::MAX as u64 },
            Does::Tried,
            "Memory.",
        ),
    ],
};

const SECRET_OR_TEXT: Shape = Shape::Either(&[Shape::TEXT, Shape::Object(&SECRET)]);

const SECRET: Object = Object {
    what: "A secret that the platform holds.",
    others: Others::Refused,
    fields: &[
        Field::new("$secret", Shape::SOME_TEXT, Does::Tried, "The secret's name.").required(),
        Field::new("optional", Shape::Flag, Does::Tried, "Whether it may be missing.")
            .default("false"),
    ],
};

const MOUNT: Object = Object {
    what: "A repository in the sandbox.",
    others: Others::Refused,
    fields: &[
        Field::new("kind", Shape::Word(&[Word::new("git")]), Does::Checked, "The kind of mount.")
            .required(),
        Field::new("repository", Shape::SOME_TEXT, Does::Tried, "`owner/name`.").required(),
        Field::new("mountPath", Shape::SOME_TEXT, Does::Tried, "Where it lands, absolute.")
            .required(),
        Field::new("ref", Shape::SOME_TEXT, Does::Tried, "Branch, tag or commit.")
            .default("the default branch"),
        Field::new(
            "depth",
            Shape::Whole { least: 1, most: u32::MAX as u64 },
            Does::Checked,
            "How much history is fetched.",
        ),
        Field::new("auth", Shape::Anything, Does::Checked, "`{kind: githubApp, capabilities}`."),
        Field::new("commitAuthor", Shape::Anything, Does::Kept, "Who commits."),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn names(object: &Object) -> Vec<&str> {
        object.fields.iter().map(|field| field.name).collect()
    }

    #[test]
    fn the_table_has_the_keys_that_the_checks_know() {
        use super::super::{agent, environment, mounts, setup, variables};
        for (object, keys) in [
            (&AGENT, agent::KEYS),
            (&ENVIRONMENT, environment::KEYS),
            (&RESOURCES, environment::RESOURCE_KEYS),
            (&SETUP, setup::ENTRY_KEYS),
            (&CACHE, setup::CACHE_KEYS),
            (&MOUNT, mounts::KEYS),
            (&SECRET, variables::SECRET_KEYS),
        ] {
            assert_eq!(names(object), keys);
        }
    }
}
