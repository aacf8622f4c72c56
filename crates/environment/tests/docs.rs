//! `docs/dialects.md` is made from the tables of fields, and the schemas say what the checks say.

#![expect(clippy::disallowed_methods, reason = "a test reads the documentation from disk")]

use std::fmt::Write;
use std::path::Path;

use environment::{Dialect, fields, schema};

/// What stands above the tables.
const HEAD: &str = "# The dialects, field by field\n\n\
What Drydock does with each field of each format: **built** into the image, **tried** when the environment is tried,\n\
**planned** (in the plan, not tried), **checked only**, **kept** as it is, or **refused** because another generation has it. Made from the tables behind the\n\
checks: `DRYDOCK_UPDATE=1 cargo test -p drydock-environment --test docs` writes it anew.\n";

#[test]
fn the_documentation_is_what_the_tables_say() {
    let mut text = HEAD.to_owned();
    side_by_side(&mut text);
    for dialect in Dialect::all() {
        let _ = write!(
            text,
            "\n## {}\n\n| field | what | Drydock | left out | page |\n|---|---|---|---|---|\n",
            dialect.word()
        );
        for row in fields(dialect) {
            let does = match row.generation {
                Some(generation) => format!("refused ({generation})"),
                None => row.does.to_owned(),
            };
            let required = if row.required { " (required)" } else { "" };
            let what = row.what.replace('|', "\\|");
            let default = row.default.unwrap_or_default();
            let _ = writeln!(
                text,
                "| `{}`{required} | {what} | {does} | {default} | {} |",
                row.path, row.page
            );
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/dialects.md");
    if std::env::var_os("DRYDOCK_UPDATE").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(written == text, "docs/dialects.md is old: run with DRYDOCK_UPDATE=1");
}

/// What matters to an author, across the formats.
fn side_by_side(text: &mut String) {
    let topics: [(&str, [&str; 4]); 10] = [
        ("name", ["environment.name", "ellipsis.name", "name", "name"]),
        ("base image", ["environment.image", "", "", ""]),
        ("image layers", ["environment.steps", "image.dockerfile_append", "", ""]),
        ("packages", ["", "", "config.packages", "config.packages"]),
        ("setup", ["environment.setup", "image.setup", "config.setup_script", ""]),
        ("each session", ["environment.setup", "hooks", "", ""]),
        ("repositories", ["mounts", "repositories", "", ""]),
        ("variables", ["environment.env", "variables", "", ""]),
        ("network", ["", "", "config.networking", "config.networking"]),
        ("compute", ["environment.resources", "compute", "", ""]),
    ];
    text.push_str("\n| topic |");
    let dialects: Vec<Dialect> = Dialect::all().collect();
    dialects.iter().for_each(|dialect| {
        let _ = write!(text, " {} |", dialect.word());
    });
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(dialects.len()));
    for (topic, paths) in topics {
        let _ = write!(text, "| {topic} |");
        for (dialect, path) in dialects.iter().zip(paths) {
            let row = fields(*dialect).into_iter().find(|row| row.path == path);
            assert!(path.is_empty() || row.is_some(), "{} has no field {path}", dialect.word());
            let _ = match row {
                Some(row) => write!(text, " `{path}`: {} |", row.does),
                None => write!(text, " – |"),
            };
        }
        text.push('\n');
    }
}

#[test]
fn a_schema_has_every_field_that_is_taken() {
    for dialect in Dialect::all() {
        let schema = schema(dialect);
        let text = schema.to_string();
        assert_eq!(schema["type"], "object");
        for row in fields(dialect) {
            let name = row.path.rsplit('.').next().unwrap_or_default();
            if row.generation.is_none() && name != "*" {
                assert!(text.contains(&format!("\"{name}\":")), "{}: {}", dialect.word(), row.path);
            }
        }
    }
}
