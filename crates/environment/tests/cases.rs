//! Every folder of `cases/` is a small repository with what must be found in it.
//!
//! `faults` lists the findings that must come out, one a line (`code path:line`), and nothing else may;
//! `target` says what to resolve (all, if there is none), `dialect` which format it is, `listed` which
//! files the settings name. The words and the resolved environments are
//! held by a snapshot.

#![expect(
    clippy::disallowed_methods,
    reason = "a test reads its cases from disk; the crate itself gets them through `Source`"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its cases has failed")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use environment::{
    Code, Finding, Listed, MapSource, Options, RepoPath, Resolution, Target, resolve_with,
};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

#[test]
fn every_case_is_found_as_it_is_labelled() {
    let mut wrong = String::new();
    for case in cases() {
        let found = run(&case).findings;
        let found: Vec<String> = found.iter().map(label).collect();
        let faults = fs::read_to_string(case.join("faults")).unwrap();
        let wanted: Vec<&str> = faults.lines().filter(|line| !line.is_empty()).collect();
        if found != wanted {
            let _ = writeln!(wrong, "{}\n  wanted {wanted:?}\n  found  {found:?}", case.display());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn words_and_environments_stay_as_they_are() {
    for case in cases() {
        let resolution = run(&case);
        let mut shown = String::new();
        resolution.findings.iter().for_each(|finding| show(&mut shown, finding));
        for environment in &resolution.environments {
            shown.push_str(&serde_json::to_string_pretty(environment).unwrap());
            shown.push('\n');
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(&case);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("expected", shown));
    }
}

#[test]
fn every_code_of_this_crate_has_a_case() {
    let labels: Vec<String> =
        cases().iter().map(|case| fs::read_to_string(case.join("faults")).unwrap()).collect();
    let seen: BTreeSet<&str> = labels
        .iter()
        .flat_map(|labels| labels.lines())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    // Limits need generated input: `hostile.rs` has it.
    let generated = ["file-too-large", "definition-limit", "file-unreadable"];
    let last = Code::ALL.iter().position(|code| *code == Code::InvalidMcpServer).unwrap();
    let ours = Code::ALL[..=last].iter();
    let missing: Vec<&str> = ours
        .map(|code| code.name())
        .filter(|name| !seen.contains(name) && !generated.contains(name))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// Resolves a case. Twice, since equal input must give equal output.
fn run(case: &Path) -> Resolution {
    let source = source(case);
    assert!(!source.0.is_empty(), "{} is empty", case.display());
    let target = match fs::read_to_string(case.join("target")) {
        Ok(text) => match text.trim() {
            path if path.contains('/') => {
                Target::File(RepoPath::new(path.trim_start_matches("./")).unwrap())
            }
            name => Target::Name(name.to_owned()),
        },
        Err(_) => Target::All,
    };
    let mut options = Options::default();
    if let Ok(word) = fs::read_to_string(case.join("dialect")) {
        options.dialect = Some(word.trim().parse().unwrap());
    }
    if let Ok(paths) = fs::read_to_string(case.join("listed")) {
        let listed = |path: &str| Listed { path: RepoPath::new(path).unwrap(), dialect: None };
        options.listed = paths.lines().map(listed).collect();
    }
    let first = resolve_with(&source, &target, &options);
    let second = resolve_with(&source, &target, &options);
    assert_eq!(first.findings, second.findings);
    assert_eq!(first.environments, second.environments);
    first
}

fn source(case: &Path) -> MapSource {
    let mut source = MapSource::default();
    let mut folders = vec![case.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(case).unwrap().to_str().unwrap();
            if !matches!(
                inside,
                "faults" | "target" | "dialect" | "listed" | "expected.snap" | "expected.snap.new"
            ) {
                let bytes = Arc::from(fs::read(&path).unwrap());
                source.0.insert(RepoPath::new(inside).unwrap(), bytes);
            }
        }
    }
    source
}

fn label(finding: &Finding) -> String {
    match &finding.place {
        Some(place) => format!("{} {}:{}", finding.code.name(), place.file, place.line),
        None => finding.code.name().to_owned(),
    }
}

fn show(shown: &mut String, finding: &Finding) {
    let place = finding.place.as_ref().map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(shown, "{:?}[{}] {place}", finding.severity, finding.code.name());
    let _ = writeln!(shown, "  {}", finding.message);
    if let Some(excerpt) = &finding.excerpt {
        let (start, len) = (excerpt.start as usize, excerpt.len as usize);
        let _ = writeln!(shown, "  | {}", excerpt.line);
        let _ = writeln!(shown, "  | {}{}", " ".repeat(start), "^".repeat(len));
    }
    for (name, text) in [("expected", &finding.expected), ("hint", &finding.hint)] {
        if let Some(text) = text {
            let _ = writeln!(shown, "  {name}: {text}");
        }
    }
    for related in &finding.related {
        let _ = writeln!(shown, "  {}: {}", related.place, related.message);
    }
}
