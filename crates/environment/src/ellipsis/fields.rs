//! The fields of an environment file, generation e3, with what other generations have.

use crate::EnvKey;
use crate::shape::{Does, Field, Object, Others, Shape, Texts, Word};

/// The published page of environments.
pub(super) const PAGE: &str = "Ellipsis docs, \"Environments\"";
/// The schema that the vendor's SDK carries.
pub(super) const SCHEMA: &str = "Ellipsis SDK, environment schema (e3)";
/// The guide of the vendor's command line.
pub(super) const GUIDE: &str = "Ellipsis CLI guide, \"Environments\"";

/// A definition.
pub(super) const DEFINITION: Object = Object {
    what: "An Ellipsis environment file.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "ellipsis",
            Shape::Object(&HEADER),
            Does::Checked,
            "What the file is, and its name.",
        )
        .required()
        .page(PAGE),
        Field::new(
            "repositories",
            Shape::list(&Shape::Object(&REPOSITORY)),
            Does::Tried,
            "Repositories that are cloned to `/sandbox/<name>` before the agent starts.",
        )
        .default("[]")
        .page(PAGE),
        Field::new(
            "variables",
            Shape::list(&Shape::Object(&VARIABLE)),
            Does::Tried,
            "Variables of the sandbox: a literal value, or a stored one of the same name.",
        )
        .default("[]")
        .page(PAGE),
        Field::new(
            "mcp_servers",
            Shape::list(&Shape::Either(&[Shape::SOME_TEXT, Shape::Object(&MCP_SERVER)])),
            Does::Kept,
            "MCP servers that the agent sees.",
        )
        .default("[]")
        .page(SCHEMA),
        Field::new("image", Shape::Object(&IMAGE), Does::Built, "What is built into the image.")
            .page(PAGE),
        Field::new("hooks", Shape::Object(&HOOKS), Does::Tried, "Scripts of each session.")
            .page(SCHEMA),
        Field::new(
            "compute",
            Shape::Object(&COMPUTE),
            Does::Tried,
            "What the sandbox gets to compute with.",
        )
        .page(SCHEMA),
        Field::refused(
            "sandbox",
            "generation e1",
            "write its fields at the top of a file with `ellipsis.kind: environment`",
        ),
        Field::refused(
            "environment",
            "agent files (generation e2)",
            "write the block's fields at the top of the file",
        ),
        Field::refused(
            "skills",
            "sessions and agents",
            "name skills in the automation or at the session",
        ),
        Field::refused(
            "ports",
            "a text of generation e2 that no schema has",
            "remove it; the sandbox has no field for ports",
        ),
    ],
};

const HEADER: Object = Object {
    what: "What the file is, and its name.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "kind",
            Shape::Word(&[Word::new("environment")]),
            Does::Checked,
            "What makes the file an environment.",
        )
        .required()
        .page(PAGE),
        Field::new(
            "name",
            Shape::SOME_TEXT,
            Does::Built,
            "What sessions and automations refer to.",
        )
        .required()
        .page(PAGE),
        Field::new("description", Shape::TEXT, Does::Built, "The author's description.").page(PAGE),
        Field::new("version", Shape::TEXT, Does::Kept, "The version of the format.")
            .default("v1")
            .page(SCHEMA),
        Field::new("metadata", Shape::Object(&METADATA), Does::Kept, "Labels and annotations.")
            .page(SCHEMA),
    ],
};

const METADATA: Object = Object {
    what: "Labels and annotations.",
    others: Others::Refused,
    fields: &[
        Field::new("labels", Shape::TEXTS, Does::Kept, "Labels."),
        Field::new("annotations", Shape::Names(&Shape::TEXT), Does::Kept, "Annotations."),
    ],
};

const REPOSITORY: Object = Object {
    what: "A repository that is cloned.",
    others: Others::Refused,
    fields: &[
        Field::new("name", Shape::SOME_TEXT, Does::Tried, "Its name, without the account.")
            .required(),
        Field::new("owner", Shape::SOME_TEXT, Does::Tried, "The account.").default("your account"),
        Field::new("ref", Shape::SOME_TEXT, Does::Tried, "Branch, tag or commit.")
            .default("the default branch"),
        Field::refused("branch", "no generation", "write `ref`"),
        Field::refused("url", "no generation", "write `owner` and `name`"),
        Field::refused("path", "no generation", "every repository lands in `/sandbox/<name>`"),
    ],
};

const VARIABLE: Object = Object {
    what: "A variable of the sandbox.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "name",
            Shape::Text(Texts {
                least: 1,
                grammar: Some((is_variable, EnvKey::EXPECTED)),
                ..Texts::ANY
            }),
            Does::Tried,
            "Its name.",
        )
        .required(),
        Field::new("value", Shape::TEXT, Does::Tried, "Its text.")
            .default("the stored variable of the same name"),
        Field::refused(
            "secret",
            "no generation",
            "a variable without `value` is looked up among the stored ones",
        ),
    ],
};

const MCP_SERVER: Object = Object {
    what: "An MCP server: a built-in by `name`, one that runs in the sandbox (`command`), or one behind a `url`.",
    others: Others::Refused,
    fields: &[
        Field::new("name", Shape::SOME_TEXT, Does::Kept, "Its name.").required(),
        Field::new(
            "command",
            Shape::SOME_TEXT,
            Does::Kept,
            "The program that is started in the sandbox.",
        ),
        Field::new("args", Shape::list(&Shape::TEXT), Does::Kept, "Its arguments."),
        Field::new(
            "env",
            Shape::Names(&Shape::TEXT),
            Does::Kept,
            "Its variables; `${NAME}` is a stored one.",
        ),
        Field::new("url", Shape::SOME_TEXT, Does::Kept, "The server's address."),
        Field::new(
            "headers",
            Shape::Names(&Shape::TEXT),
            Does::Kept,
            "Headers; `${NAME}` is a stored variable.",
        ),
    ],
};

const IMAGE: Object = Object {
    what: "What is built into the image.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "dockerfile_append",
            Shape::TEXT,
            Does::Built,
            "`RUN` instructions on the platform's base, before any repository is there.",
        )
        .page(GUIDE),
        Field::new(
            "setup",
            Shape::TEXT,
            Does::Tried,
            "A shell script, run in `/sandbox` after the checkout when the image is built; ten minutes at most.",
        )
        .page(PAGE),
        Field::refused("dockerfile", "no generation", "write `dockerfile_append`: the platform owns the base"),
        Field::refused("base", "no generation", "the platform owns the base; add to it with `dockerfile_append`"),
    ],
};

const HOOKS: Object = Object {
    what: "Scripts of each session.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "post_start",
            Shape::TEXT,
            Does::Tried,
            "Run in every session once the container is up; five minutes at most.",
        ),
        Field::new(
            "post_clone",
            Shape::TEXT,
            Does::Tried,
            "Run in every session after all checkouts; five minutes at most.",
        ),
        Field::new(
            "build_base",
            Shape::Either(&[Shape::SOME_TEXT, Shape::Object(&BUILD_BASE)]),
            Does::Tried,
            "Generation e4: run before the full checkout, keyed by its inputs.",
        ),
        Field::new(
            "after_checkout",
            Shape::Either(&[Shape::SOME_TEXT, Shape::Object(&HOOK)]),
            Does::Tried,
            "Generation e4: prepares the requested revision before the snapshot.",
        ),
        Field::new(
            "before_start",
            Shape::Either(&[Shape::SOME_TEXT, Shape::Object(&HOOK)]),
            Does::Tried,
            "Generation e4: run at every start and resume.",
        ),
        Field::refused("setup", "no generation", "a script of the image is `image.setup`"),
    ],
};

const HOOK: Object = Object {
    what: "A hook.",
    others: Others::Refused,
    fields: &[Field::new("run", Shape::SOME_TEXT, Does::Tried, "The script.").required()],
};

const BUILD_BASE: Object = Object {
    what: "The hook that builds the base.",
    others: Others::Refused,
    fields: &[
        Field::new("run", Shape::SOME_TEXT, Does::Tried, "The script.").required(),
        Field::new(
            "inputs",
            Shape::TEXTS,
            Does::Tried,
            "The files, relative to `/sandbox`, that it sees and that key its reuse.",
        )
        .default("all repositories"),
    ],
};

const COMPUTE: Object = Object {
    what: "What the sandbox gets to compute with.",
    others: Others::Refused,
    fields: &[
        Field::new("cpu", Shape::Measure("a number of processors"), Does::Tried, "Processors.")
            .default("1 (e4: 2)"),
        Field::new(
            "memory",
            Shape::Either(&[Shape::Measure("a size such as `8GB`"), Shape::Object(&SIZE)]),
            Does::Tried,
            "Memory; 1 GB is 1024 MB.",
        )
        .default("4096 MB"),
        Field::new(
            "timeout",
            Shape::Either(&[Shape::Measure("a duration such as `30m`"), Shape::Object(&DURATION)]),
            Does::Planned,
            "Wall clock of the sandbox.",
        )
        .default("3600 s"),
        Field::refused("disk", "no generation", "the sandbox has no field for its disk"),
    ],
};

const SIZE: Object = Object {
    what: "A size, the sum of its parts.",
    others: Others::Refused,
    fields: &[
        Field::new(
            "gb",
            Shape::Whole { least: 0, most: 1 << 20 },
            Does::Tried,
            "Gigabytes of 1024 MB.",
        ),
        Field::new("mb", Shape::Whole { least: 0, most: 1 << 30 }, Does::Tried, "Megabytes."),
    ],
};

const DURATION: Object = Object {
    what: "A duration, the sum of its parts.",
    others: Others::Refused,
    fields: &[
        Field::new("hours", Shape::Whole { least: 0, most: 1 << 20 }, Does::Planned, "Hours."),
        Field::new("minutes", Shape::Whole { least: 0, most: 1 << 20 }, Does::Planned, "Minutes."),
        Field::new("seconds", Shape::Whole { least: 0, most: 1 << 30 }, Does::Planned, "Seconds."),
    ],
};

/// The hooks of generation e4, which cannot be mixed with the older two.
pub(super) const E4_HOOKS: [&str; 3] = ["build_base", "after_checkout", "before_start"];
/// The hooks of generation e3.
pub(super) const E3_HOOKS: [&str; 2] = ["post_start", "post_clone"];
/// The name of generation e4 in findings.
pub(super) const GENERATION_E4: &str = "generation e4";

fn is_variable(text: &str) -> bool {
    text.parse::<EnvKey>().is_ok()
}
