//! Properties of the formats whose files stand alone: nothing authored is lost, nothing panics, JSON and
//! YAML mean the same.

#![expect(clippy::disallowed_methods, reason = "a test reads its cases from disk")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its cases has failed")]

use std::path::Path;
use std::sync::Arc;

use environment::{
    Dialect, MapSource, Options, RepoPath, Resolution, ResolvedEnvironment, Target, resolve_with,
};
use proptest::prelude::*;

fn one(path: &str, text: &str, dialect: Dialect) -> Resolution {
    let mut source = MapSource::default();
    let path = RepoPath::new(path).unwrap();
    source.0.insert(path.clone(), Arc::from(text.as_bytes()));
    let options = Options { dialect: Some(dialect), ..Options::default() };
    resolve_with(&source, &Target::File(path), &options)
}

/// Every definition of the good cases, with its dialect.
fn good() -> Vec<(Dialect, String)> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found = Vec::new();
    for dialect in Dialect::all().filter(|dialect| *dialect != Dialect::Auto) {
        let prefix = format!("{}-good-", dialect.word());
        for case in std::fs::read_dir(&cases).unwrap().map(|case| case.unwrap().path()) {
            if !case.file_name().unwrap().to_string_lossy().starts_with(&prefix) {
                continue;
            }
            let mut folders = vec![case];
            while let Some(folder) = folders.pop() {
                for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                    let ending =
                        path.extension().unwrap_or_default().to_string_lossy().into_owned();
                    if path.is_dir() {
                        folders.push(path);
                    } else if ["yaml", "yml", "json"].contains(&ending.as_str()) {
                        let text = std::fs::read_to_string(path).unwrap();
                        if !one("x.yaml", &text, dialect).environments.is_empty() {
                            found.push((dialect, text));
                        }
                    }
                }
            }
        }
    }
    assert!(found.len() >= 20, "only {} good definitions", found.len());
    found
}

/// The environment without places, which another way of writing changes.
fn without_places(environment: &ResolvedEnvironment) -> serde_json::Value {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(members) => {
                members.retain(|name, _| !matches!(name.as_str(), "place" | "shape" | "sources"));
                members.values_mut().for_each(strip);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(environment).unwrap();
    strip(&mut value);
    value
}

#[test]
fn an_environment_survives_json() {
    for (dialect, text) in good() {
        for environment in one("x.yaml", &text, dialect).environments {
            let json = serde_json::to_string(&environment).unwrap();
            assert_eq!(serde_json::from_str::<ResolvedEnvironment>(&json).unwrap(), environment);
        }
    }
}

#[test]
fn a_definition_means_the_same_in_json() {
    for (dialect, text) in good() {
        let first = one("x.yaml", &text, dialect);
        let Some(json) = as_json(&text) else { continue };
        let second = one("x.yaml", &json, dialect);
        let shown = |resolution: &Resolution| {
            resolution.environments.iter().map(without_places).collect::<Vec<_>>()
        };
        assert_eq!(shown(&first), shown(&second), "{text}\n{json}");
    }
}

/// JSON is YAML: only what is JSON already can be printed again without a YAML writer.
fn as_json(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    Some(serde_json::to_string_pretty(&value).unwrap())
}

#[test]
fn every_authored_scalar_is_in_the_environment() {
    for (dialect, text) in good() {
        let environments = one("x.yaml", &text, dialect).environments;
        let shown = serde_json::to_string(&environments).unwrap();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            let Some((_, value)) = line.trim_start_matches("- ").split_once(": ") else { continue };
            let value = value.trim_matches(['"', '\'']);
            let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "./@-_".contains(c));
            let words = ["null", "30m", "0.5", "1", "512", "8GB", "32"];
            if plain && !value.is_empty() && !words.contains(&value) {
                assert!(shown.contains(value), "{value} is lost:\n{text}\n{shown}");
            }
        }
    }
}

fn hostile() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "ellipsis",
        "kind",
        "name",
        "repositories",
        "variables",
        "image",
        "setup",
        "dockerfile_append",
        "hooks",
        "compute",
        "memory",
        "cpu",
        "timeout",
        "config",
        "type",
        "packages",
        "apt",
        "go",
        "networking",
        "allowed_hosts",
        "setup_script",
        "post_start",
        "build_base",
        "inputs",
    ]);
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("8GB".to_owned()),
        Just("-1".to_owned()),
        Just("999999999999999999999999".to_owned()),
        Just("self_hosted".to_owned()),
        Just("limited".to_owned()),
        "[ -~]{0,12}".prop_map(|text| format!("{text:?}")),
        "\\PC{0,6}".prop_map(|text| format!("{text:?}")),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let pair = (key.clone(), inner.clone()).prop_map(|(key, value)| format!("{key}: {value}"));
        prop_oneof![
            prop::collection::vec(pair, 0..5).prop_map(|pairs| format!("{{{}}}", pairs.join(", "))),
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_equal_input_gives_equal_output(text in hostile()) {
        for dialect in Dialect::all() {
            let first = one("x.yaml", &text, dialect);
            let second = one("x.yaml", &text, dialect);
            prop_assert_eq!(&first.findings, &second.findings);
            prop_assert_eq!(&first.environments, &second.environments);
        }
    }

    #[test]
    fn any_text_of_instructions_ends_in_a_finding_or_a_plan(append in "(RUN|COPY|<<E|E|\\\\|#|[ -~]| |\n){0,30}") {
        let text = serde_json::json!({
            "ellipsis": {"kind": "environment", "name": "x"},
            "image": {"dockerfile_append": append},
        });
        let found = one("x.yaml", &text.to_string(), Dialect::Ellipsis);
        prop_assert!(found.environments.len() + found.findings.len() > 0);
    }
}
