//! The fields of an environment object, generation c2, with the words of older ones.

use crate::shape::{Does, Field, Object, Others, Shape, Word};

/// The page of cloud environments.
pub(super) const PAGE: &str = "Claude Managed Agents, \"Cloud environment setup\"";
/// The reference of the API.
pub(super) const API: &str = "Claude Managed Agents API, \"Environments\"";
/// The page of the sandbox's contents.
pub(super) const SANDBOX: &str = "Claude Managed Agents, \"Cloud sandbox reference\"";

/// A definition.
pub(super) const DEFINITION: Object = Object {
    what: "A Claude Managed Agents environment, as it is created or as the platform returns it.",
    others: Others::Unpublished,
    fields: &[
        Field::new("name", Shape::SOME_TEXT, Does::Built, "The environment's name.")
            .required()
            .page(PAGE),
        Field::new("description", Shape::TEXT, Does::Built, "The author's description.").page(API),
        Field::new("metadata", Shape::Names(&Shape::TEXT), Does::Kept, "The author's own data.")
            .default("{}")
            .page(API),
        Field::new(
            "scope",
            Shape::Word(&[Word::new("organization"), Word::new("account")]),
            Does::Kept,
            "Who sees a self-hosted environment.",
        )
        .page(API),
        Field::new("config", Shape::Object(&CONFIG), Does::Checked, "What the sandbox is made of.")
            .page(PAGE),
        Field::returned("id", Shape::TEXT).page(API),
        Field::returned("type", Shape::Word(&[Word::new("environment")])).page(API),
        Field::returned("archived_at", Shape::TEXT).page(API),
        Field::returned("created_at", Shape::TEXT).page(API),
        Field::returned("updated_at", Shape::TEXT).page(API),
    ],
};

const CONFIG: Object = Object {
    what: "What the sandbox is made of.",
    others: Others::Unpublished,
    fields: &[
        Field::new(
            "type",
            Shape::Word(&[Word::new("cloud"), Word::new("self_hosted")]),
            Does::Checked,
            "Whose machine the sandbox is on.",
        )
        .required(),
        Field::new(
            "networking",
            Shape::Object(&NETWORKING),
            Does::Planned,
            "What the sandbox may reach.",
        )
        .default("unrestricted"),
        Field::new(
            "packages",
            Shape::Object(&PACKAGES),
            Does::Built,
            "Packages, installed in the order apt, cargo, gem, go, npm, pip before the agent starts.",
        ),
        Field::refused(
            "setup_script",
            "Qoder environments",
            "this format has no script; start the agent with the commands, or use packages",
        ),
        Field::refused("env", "no generation", "secrets and variables come from vaults"),
        Field::refused(
            "image",
            "no generation",
            "the platform owns the base; add to it with `packages`",
        ),
    ],
};

const PACKAGES: Object = Object {
    what: "Packages by manager.",
    others: Others::Unpublished,
    fields: &[
        Field::new(
            "type",
            Shape::Word(&[Word::new("packages")]),
            Does::Kept,
            "Comes back with the object.",
        ),
        Field::new("apt", Shape::TEXTS, Does::Built, "For apt-get.").default("[]"),
        Field::new("cargo", Shape::TEXTS, Does::Built, "For cargo.").default("[]"),
        Field::new("gem", Shape::TEXTS, Does::Built, "For gem.").default("[]"),
        Field::new("go", Shape::TEXTS, Does::Built, "For `go install`.").default("[]"),
        Field::new("npm", Shape::TEXTS, Does::Built, "For npm.").default("[]"),
        Field::new("pip", Shape::TEXTS, Does::Built, "For pip.").default("[]"),
    ],
};

const NETWORKING: Object = Object {
    what: "What the sandbox may reach.",
    others: Others::Unpublished,
    fields: &[
        Field::new(
            "type",
            Shape::Word(&[
                Word::new("unrestricted"),
                Word::new("limited"),
                Word::refused(
                    "package_managers_and_custom",
                    "generation c0",
                    "write `type: limited` with `allow_package_managers: true` and `allowed_hosts`",
                ),
            ]),
            Does::Planned,
            "Whether the network is limited.",
        )
        .required(),
        Field::new("allowed_hosts", Shape::list(&Shape::TEXT), Does::Planned, "Bare host names and `*.` wildcards.").default("[]"),
        Field::new(
            "allow_package_managers",
            Shape::Flag,
            Does::Planned,
            "Opens the package managers' hosts; must be true when packages are asked for under `limited`.",
        )
        .default("false"),
        Field::new("allow_mcp_servers", Shape::Flag, Does::Planned, "Opens the agent's MCP servers.").default("false"),
        Field::refused("allowed_domains", "Qoder environments (generation q1)", "write `allowed_hosts`"),
    ],
};
