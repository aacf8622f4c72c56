//! Facts of real images, changed in one place each, against the verdict beside them.
//!
//! A case is a JSON merge patch (RFC 7396) on the facts of a base. What a live engine can show is
//! tested on one, in the crate that reads images; here stands what no engine at hand has.

#![expect(
    clippy::disallowed_methods,
    reason = "the cases are files, and the crate is not this test"
)]

use std::path::{Path, PathBuf};

use contract::ImageFacts;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[expect(dead_code, reason = "for whoever reads the case")]
    why: String,
    base: String,
    patch: Value,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judge").join(name)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else { return target.clone_from(patch) };
    if !target.is_object() {
        *target = Value::Object(serde_json::Map::new());
    }
    for (key, change) in changes {
        // A node of another kind replaces the old one whole.
        if change.is_null() || change.get("is").is_some() {
            target[key] = change.clone();
        } else {
            merge(&mut target[key], change);
        }
    }
}

#[test]
fn every_case_gets_the_verdict_beside_it() {
    let mut cases = 0;
    let mut paths: Vec<_> =
        std::fs::read_dir(folder("cases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let case: Case =
            serde_json::from_str(&read(&path)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let base = folder("bases").join(format!("{}.json", case.base));
        let mut facts: Value = serde_json::from_str(&read(&base)).unwrap();
        merge(&mut facts, &case.patch);
        let facts: ImageFacts =
            serde_json::from_value(facts).unwrap_or_else(|error| panic!("{name}: {error}"));
        insta::with_settings!({ snapshot_path => folder("verdicts"), prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_json_snapshot!(name, contract::judge(&facts));
        });
        cases += 1;
    }
    assert!(cases >= 20, "{cases} cases are too few");
}

#[test]
fn the_bases_are_what_their_names_say() {
    for (name, marker) in [("debian", None), ("musl", Some("check=glibc-loader"))] {
        let facts: ImageFacts =
            serde_json::from_str(&read(&folder("bases").join(format!("{name}.json")))).unwrap();
        let verdict = contract::judge(&facts);
        assert!(verdict.unread.is_empty(), "{name}: {:?}", verdict.unread);
        let found = verdict.marker();
        assert_eq!(found.is_some(), marker.is_some(), "{name}: {verdict:?}");
        assert!(found.unwrap_or_default().contains(marker.unwrap_or_default()), "{name}");
    }
}
