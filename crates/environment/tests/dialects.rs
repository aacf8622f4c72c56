//! Whatever a file of any format holds: no panic, and equal output for equal input.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its cases has failed")]

use std::sync::Arc;

use environment::{Dialect, MapSource, Options, RepoPath, Resolution, Target, resolve_with};
use proptest::prelude::*;

fn one(path: &str, text: &str, dialect: Dialect) -> Resolution {
    let mut source = MapSource::default();
    let path = RepoPath::new(path).unwrap();
    source.0.insert(path.clone(), Arc::from(text.as_bytes()));
    let options = Options { dialect: Some(dialect), ..Options::default() };
    resolve_with(&source, &Target::File(path), &options)
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
