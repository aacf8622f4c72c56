//! The fields of an environment object, generation q3, with what other generations have.

use crate::Code;
use crate::shape::{Does, Field, Object, Others, Shape, Texts, Word};

/// The page of environment schemas.
pub(super) const SCHEMA: &str = "Qoder Cloud Agents API, \"Environment schemas\"";
/// The page of cloud environments.
pub(super) const PAGE: &str = "Qoder Cloud Agents, \"Cloud environment setup\"";
/// The container page.
pub(super) const CONTAINER: &str = "Qoder Cloud Agents, \"Container reference\"";

const Q1: &str = "generation q1";
const Q2: &str = "generation q2";
/// A definition.
pub(super) const DEFINITION: Object = Object {
    what: "A Qoder environment, as it is created or as the platform returns it.",
    others: Others::Unpublished,
    fields: &[
        Field::new(
            "name",
            Shape::Text(Texts { least: 1, most: 255, grammar: None }),
            Does::Built,
            "The environment's name; needed to create one.",
        )
        .page(SCHEMA),
        Field::new("description", Shape::TEXT, Does::Built, "The author's description.")
            .default("\"\"")
            .page(SCHEMA),
        Field::new(
            "metadata",
            Shape::Names(&Shape::Anything),
            Does::Kept,
            "The author's own data.",
        )
        .default("{}")
        .page(SCHEMA),
        Field::new("config", Shape::Object(&CONFIG), Does::Checked, "What the sandbox is made of.")
            .required()
            .page(SCHEMA),
        Field::returned("id", Shape::TEXT).page(SCHEMA),
        Field::returned("type", Shape::Word(&[Word::new("environment")])).page(SCHEMA),
        Field::returned("archived_at", Shape::TEXT).page(SCHEMA),
        Field::returned("created_at", Shape::TEXT).page(SCHEMA),
        Field::returned("updated_at", Shape::TEXT).page(SCHEMA),
        Field::new(
            "status",
            Shape::Word(&[Word::new("ready"), Word::new("archived")]),
            Does::Kept,
            "Set by the platform in generations q1 and q2.",
        )
        .page(PAGE),
        Field::new(
            "archived",
            Shape::Flag,
            Does::Kept,
            "Set by the platform in generations q1 and q2.",
        )
        .page(PAGE),
        Field::new("identity_id", Shape::TEXT, Does::Kept, "Set by the Forward API.").page(FORWARD),
        Field::new("icon_url", Shape::TEXT, Does::Kept, "Set by the Forward API.").page(FORWARD),
        Field::new("binding_info", Shape::Anything, Does::Kept, "Set by the Forward API.")
            .page(FORWARD),
    ],
};

const FORWARD: &str = "Qoder Forward API, \"Environments\"";

const CONFIG: Object = Object {
    what: "What the sandbox is made of.",
    others: Others::Unpublished,
    fields: &[
        Field::new(
            "type",
            Shape::Word(&[
                Word::new("cloud"),
                Word::new("self_hosted"),
                Word::alias("managed", "cloud", "the CN edition"),
            ]),
            Does::Checked,
            "Whose machine the sandbox is on.",
        )
        .required(),
        Field::new(
            "networking",
            Shape::Either(&[
                Shape::Object(&NETWORKING),
                Shape::Former {
                    list: false,
                    code: Code::OtherGeneration,
                    what: "a text, which belongs to generation q1",
                    instead: "write `networking: {type: unrestricted}`",
                },
            ]),
            Does::Planned,
            "What the sandbox may reach.",
        )
        .default("unrestricted (generation q2's page)"),
        Field::new(
            "packages",
            Shape::Either(&[
                Shape::Object(&PACKAGES),
                Shape::Former {
                    list: true,
                    code: Code::PackagesShape,
                    what: "a list",
                    instead: "write each package below its manager: `packages: {pip: [\"pandas\"]}`",
                },
            ]),
            Does::Built,
            "Packages, installed as root in the order apt, npm, pip.",
        ),
        Field::new(
            "setup_script",
            Shape::TEXT,
            Does::Tried,
            "A script for `/bin/bash -lc` after the packages, once for each sandbox; ten minutes and 64 KB at most.",
        ),
        Field::refused("setup", "no generation", "write `setup_script`"),
        Field::refused(
            "env",
            "no generation",
            "export variables in `setup_script`; secrets belong to the session",
        ),
        Field::refused(
            "image",
            "no generation",
            "the platform owns the base; use `packages` and `setup_script`",
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
        Field::new("apt", Shape::TEXTS, Does::Built, "For `apt-get install -y`.").default("[]"),
        Field::new("npm", Shape::TEXTS, Does::Built, "For `npm install -g`.").default("[]"),
        Field::new("pip", Shape::TEXTS, Does::Built, "For `pip install`.").default("[]"),
        Field::new(
            "cargo",
            Shape::TEXTS,
            Does::Kept,
            "Reserved by the Forward API; not installed.",
        ),
        Field::new("gem", Shape::TEXTS, Does::Kept, "Reserved by the Forward API; not installed."),
        Field::new("go", Shape::TEXTS, Does::Kept, "Reserved by the Forward API; not installed."),
    ],
};

const NETWORKING: Object = Object {
    what: "What the sandbox may reach.",
    others: Others::Unpublished,
    fields: &[
        Field::new(
            "type",
            Shape::Word(&[
                Word::new("limited"),
                Word::new("unrestricted"),
                Word::refused(
                    "allowed_hosts",
                    Q2,
                    "write `type: limited`, and keep `allowed_hosts` beside it",
                ),
                Word::refused("allowlist", Q1, "write `type: limited` and `allowed_hosts`"),
                Word::refused("full_access", Q1, "write `type: unrestricted`"),
                Word::refused("restricted", Q1, "write `type: limited` and `allowed_hosts`"),
                Word::refused("none", Q1, "write `type: limited` without `allowed_hosts`"),
            ]),
            Does::Planned,
            "Whether the network is limited.",
        )
        .required(),
        Field::new(
            "allowed_hosts",
            Shape::list(&Shape::TEXT),
            Does::Planned,
            "Hosts that are open.",
        )
        .default("[]"),
        Field::new(
            "allow_package_managers",
            Shape::Flag,
            Does::Planned,
            "Whether the package managers' hosts are open.",
        )
        .default("false"),
        Field::new(
            "allow_mcp_servers",
            Shape::Flag,
            Does::Planned,
            "Whether the agent's MCP servers are open.",
        )
        .default("false"),
        Field::refused("allowed_domains", Q1, "write `allowed_hosts`"),
    ],
};
