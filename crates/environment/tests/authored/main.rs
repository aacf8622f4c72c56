//! What an author wrote is not lost, and means the same however it is written; in every format.
//!
//! The definitions are those of the good cases, and what is left of them when parts are taken away.

#![expect(clippy::disallowed_methods, reason = "a test reads its cases from disk")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its cases has failed")]

mod tree;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use environment::{
    Dialect, MapSource, Options, RepoPath, Resolution, ResolvedEnvironment, Target, resolve_with,
};
use proptest::prelude::*;
use tree::Tree;

/// One definition that resolves from one file alone.
#[derive(Debug)]
struct Good {
    case: String,
    dialect: Dialect,
    path: RepoPath,
    text: String,
}

static GOOD: LazyLock<Vec<Good>> = LazyLock::new(|| {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut good = Vec::new();
    for case in std::fs::read_dir(cases).unwrap().map(|case| case.unwrap().path()) {
        let name = case.file_name().unwrap().to_str().unwrap().to_owned();
        let Some((dialect, _)) = name.split_once("good-") else { continue };
        let dialect: Dialect = match dialect.trim_end_matches('-') {
            "" => Dialect::Auto,
            word => word.parse().unwrap(),
        };
        let mut folders = vec![case.clone()];
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                let inside = path.strip_prefix(&case).unwrap().to_str().unwrap();
                if path.is_dir() {
                    folders.push(path);
                } else if inside.ends_with(".yaml") || inside.ends_with(".json") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let path = RepoPath::new(inside).unwrap();
                    let one = Good { case: name.clone(), dialect, path, text };
                    if !one.resolve(&one.text).environments.is_empty() {
                        good.push(one);
                    }
                }
            }
        }
    }
    good.sort_by(|a, b| (&a.case, &a.path).cmp(&(&b.case, &b.path)));
    for dialect in Dialect::all() {
        let count = good.iter().filter(|one| one.dialect == dialect).count();
        assert!(count >= 5, "only {count} good definitions of {dialect:?}");
    }
    good
});

impl Good {
    /// What a text in the definition's place comes to.
    fn resolve(&self, text: &str) -> Resolution {
        let source = MapSource([(self.path.clone(), Arc::from(text.as_bytes()))].into());
        let options = Options { dialect: Some(self.dialect), ..Options::default() };
        let target = Target::File(self.path.clone());
        let first = resolve_with(&source, &target, &options);
        let second = resolve_with(&source, &target, &options);
        assert_eq!(
            (&first.environments, &first.findings),
            (&second.environments, &second.findings)
        );
        first
    }
}

/// Everything but the places, which another way of writing changes.
fn meaning(resolution: &Resolution) -> (Vec<serde_json::Value>, Vec<String>) {
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
    let environments = resolution.environments.iter().map(|environment| {
        let mut value = serde_json::to_value(environment).unwrap();
        strip(&mut value);
        value
    });
    let findings =
        resolution.findings.iter().map(|found| format!("{} {}", found.code.name(), found.message));
    let mut findings: Vec<String> = findings.collect();
    findings.sort();
    (environments.collect(), findings)
}

#[test]
fn an_environment_survives_json() {
    for one in &*GOOD {
        for environment in one.resolve(&one.text).environments {
            let json = serde_json::to_string(&environment).unwrap();
            assert_eq!(serde_json::from_str::<ResolvedEnvironment>(&json).unwrap(), environment);
        }
    }
}

#[test]
fn a_definition_means_the_same_in_json() {
    for one in &*GOOD {
        let json = Tree::read(&one.text).json();
        let (written, printed) = (meaning(&one.resolve(&one.text)), meaning(&one.resolve(&json)));
        assert_eq!(written.0, printed.0, "{}: {json}", one.case);
    }
}

/// A value that could change without anything else changing would be one that Drydock had dropped.
fn every_value_matters(one: &Good, tree: &Tree) -> usize {
    let before = one.resolve(&tree.json());
    if before.environments.is_empty() {
        return 0;
    }
    let before = meaning(&before);
    let count = tree.clone().leaves().len();
    for leaf in 0..count {
        let mut changed = tree.clone();
        changed.leaves()[leaf].change();
        let after = meaning(&one.resolve(&changed.json()));
        assert_ne!(
            before,
            after,
            "{}: nothing tells\n{}\nfrom\n{}",
            one.case,
            tree.json(),
            changed.json()
        );
    }
    count
}

#[test]
fn every_authored_value_is_in_the_environment_or_kept() {
    let seen: usize = GOOD.iter().map(|one| every_value_matters(one, &Tree::read(&one.text))).sum();
    assert!(seen > 200, "only {seen} values");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nor_is_one_lost_where_others_are_missing(
        which in any::<prop::sample::Index>(),
        picks in prop::collection::vec(0..4096_usize, 1..6),
    ) {
        let one = which.get(&GOOD);
        let mut tree = Tree::read(&one.text);
        picks.iter().for_each(|pick| tree.prune(*pick));
        every_value_matters(one, &tree);
    }
}
