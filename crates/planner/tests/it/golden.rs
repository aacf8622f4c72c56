//! Whole repositories: definitions in, Dockerfile, plan, receipt and findings out.
//!
//! A case is a folder below `tests/cases`: a repository, and beside it what it must come to.
#![expect(clippy::unwrap_used, reason = "a case that cannot be read should stop the test")]
#![expect(clippy::disallowed_methods, reason = "cases are files")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use environment::{Code, Finding, MapSource, RepoPath, Target, resolve};
use planner::{ContextRoot, plan, render, view};

#[test]
fn every_case_comes_to_what_stands_beside_it() {
    let cases = folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    assert!(cases.len() >= 6, "cases are missing: {cases:?}");
    for case in cases {
        let mut source = MapSource::default();
        read(&case, &case, &mut source);
        assert!(!source.0.is_empty(), "{} holds no repository", case.display());
        check(&case, &source);
    }
}

fn check(case: &Path, source: &MapSource) {
    let resolution = resolve(source, &Target::All);
    assert!(!resolution.environments.is_empty(), "{}: {:?}", case.display(), resolution.findings);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(case);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut findings = resolution.findings.clone();
    settings.bind(|| {
        for environment in &resolution.environments {
            let planned = plan(environment, Some("acme/widgets"));
            let again = plan(environment, Some("acme/widgets"));
            assert_eq!(planned.plan, again.plan);
            findings.extend(planned.findings);
            let dockerfile = render(&planned.plan, ContextRoot::Checkout);
            insta::assert_snapshot!(
                "dockerfile",
                dockerfile.replace(contract::PROBE, "<the probe>\n")
            );
            insta::assert_snapshot!("receipt", view::receipt(&planned.plan, environment));
            insta::assert_snapshot!("human", view::human(&planned.plan, environment));
            let mut shown = planned.plan;
            let probe =
                shown.instructions.iter_mut().find(|one| one.text == contract::PROBE.trim_end());
            if let Some(probe) = probe {
                "<the probe>".clone_into(&mut probe.text);
            }
            insta::assert_json_snapshot!("plan", shown);
        }
        insta::assert_snapshot!("findings", words(&findings));
    });
}

fn words(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings.iter().filter(|finding| finding.code != Code::MutableTag) {
        let place = finding.place.as_ref().map_or_else(String::new, ToString::to_string);
        let _ = writeln!(
            text,
            "{:?} {} {place}\n  {}",
            finding.severity,
            finding.code.name(),
            finding.message
        );
        if let Some(excerpt) = &finding.excerpt {
            let caret = "^".repeat(excerpt.len as usize);
            let _ = writeln!(
                text,
                "  | {}\n  | {:2$}{caret}",
                excerpt.line, "", excerpt.start as usize
            );
        }
        if let Some(hint) = &finding.hint {
            let _ = writeln!(text, "  hint: {hint}");
        }
    }
    text
}

fn folders(at: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.iter().all(|path| path.is_dir()), "only folders are cases: {folders:?}");
    folders
}

/// Reads the repository: every file that is no snapshot.
fn read(case: &Path, folder: &Path, source: &mut MapSource) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(case, &path, source);
        } else if path.extension().is_none_or(|extension| extension != "snap" && extension != "new")
        {
            let name = RepoPath::new(path.strip_prefix(case).unwrap().to_str().unwrap()).unwrap();
            source.0.insert(name, Arc::from(std::fs::read(&path).unwrap()));
        }
    }
}
