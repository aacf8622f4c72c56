//! Whatever is read: no panic, equal output for equal input, and every place inside its file.

use std::sync::Arc;

use environment::{ImageRef, MapSource, RepoPath, Resolution, Severity, Target, resolve};
use proptest::prelude::*;

/// Fragments of definitions; joined in any order they make files that are nearly right.
const PIECES: &[&str] = &[
    "name: a\n",
    "harness: codex\n",
    "environment:\n",
    "  name: runtime\n",
    "  image:\n",
    "    kind: base\n",
    "    kind: preset\n",
    "    ref: debian:bookworm\n",
    "    name: node24\n",
    "  image: {kind: preset, name: default}\n",
    "  steps:\n",
    "    - RUN true\n",
    "    - |\n",
    "      RUN one\n",
    "    - >-\n",
    "    - \"RUN \\\"x\\\"\"\n",
    "  setup:\n",
    "    - name: one\n",
    "      commands: [make]\n",
    "      cache: {key: k, files: [a], paths: [/home/user/.x]}\n",
    "  setupCache: {ttl: 7d}\n",
    "  resources: {cpuCount: 2}\n",
    "  env:\n",
    "    A: b\n",
    "    B: {$secret: s, optional: true}\n",
    "    C: 1\n",
    "imports:\n",
    "  - b.yaml\n",
    "  - ../fragments/c.yaml\n",
    "imports: [a.yaml, b.yaml]\n",
    "environment: runtime\n",
    "workingDirectory: /w\n",
    "mounts:\n",
    "  - {kind: git, repository: a/b, mountPath: /w}\n",
    "remove: {triggers: [x]}\n",
    "triggers:\n",
    "  - name: x\n",
    "variables: {v: w}\n",
    "    D: \"{{ $v }}{{ $w }}\"\n",
    "&a ",
    "*a",
    "<<: *a\n",
    "!x ",
    "---\n",
    "...\n",
    "# c\n",
    "\t",
    "\r\n",
    "\u{feff}",
    "é: ü\n",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "'",
    "\"",
    "null\n",
    "~\n",
    ": ",
];

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..40);
    pieces.prop_map(|pieces| pieces.concat())
}

/// Three files that import each other by chance.
fn repository() -> impl Strategy<Value = MapSource> {
    let paths = [".auto/agents/a.yaml", ".auto/agents/b.yaml", ".auto/fragments/c.yaml"];
    prop::collection::vec(text(), 3).prop_map(move |texts| {
        let files = paths.iter().zip(texts).map(|(path, text)| {
            (RepoPath::new(path).expect("a path"), Arc::from(text.into_bytes()))
        });
        MapSource(files.collect())
    })
}

fn check(source: &MapSource, target: &Target) -> Resolution {
    let resolution = resolve(source, target);
    let again = resolve(source, target);
    assert_eq!(resolution.findings, again.findings);
    assert_eq!(resolution.environments, again.environments);
    let mut last = None;
    for finding in &resolution.findings {
        assert!(finding.place >= last, "in the order of places");
        last.clone_from(&finding.place);
        assert_eq!(finding.severity, finding.code.severity());
        assert!(!finding.message.is_empty() && !finding.message.contains('\n'));
        let places = finding.related.iter().map(|related| &related.place).chain(&finding.place);
        for place in places {
            let Some(bytes) = source.0.get(&place.file) else { continue };
            let text = String::from_utf8_lossy(bytes);
            // `\r` ends a line for YAML too; at the end of the file one more line begins.
            let lines = text.replace("\r\n", "\n").replace('\r', "\n");
            let line = lines.split('\n').nth(place.line as usize - 1);
            let line = line.unwrap_or_else(|| panic!("{place} is not in the file"));
            assert!(
                place.column as usize <= line.chars().count() + 2,
                "{place} is not in {line:?}"
            );
        }
        if let Some(excerpt) = &finding.excerpt {
            assert!(!excerpt.line.contains(char::is_control));
            assert!(excerpt.len >= 1);
        }
    }
    resolution
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nearly_right_files_never_panic(source in repository()) {
        let all = check(&source, &Target::All);
        let errors = all.findings.iter().filter(|finding| finding.severity == Severity::Error);
        prop_assert!(errors.count() > 0 || !all.environments.is_empty());
        check(&source, &Target::Name("a".into()));
        check(&source, &Target::File(RepoPath::new(".auto/agents/b.yaml").expect("a path")));
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let path = RepoPath::new(".auto/agents/a.yaml").expect("a path");
        check(&MapSource([(path, Arc::from(bytes))].into()), &Target::All);
    }

    #[test]
    fn any_text_never_panics(text in "\\PC{0,200}") {
        let path = RepoPath::new(".auto/agents/a.yaml").expect("a path");
        check(&MapSource([(path, Arc::from(text.into_bytes()))].into()), &Target::All);
    }

    #[test]
    fn a_reference_is_kept_as_written(text in "[a-zA-Z0-9./:@_\\-\\[\\]]{0,40}") {
        match text.parse::<ImageRef>() {
            Ok(reference) => {
                prop_assert_eq!(reference.as_str(), &text);
                let parts = reference.domain().map_or(0, |domain| domain.len() + 1)
                    + reference.path().len()
                    + reference.tag().map_or(0, |tag| tag.len() + 1)
                    + reference.digest().map_or(0, |digest| digest.len() + 1);
                prop_assert_eq!(parts, text.len());
            }
            Err(error) => prop_assert!(text.get(error.span).is_some()),
        }
    }
}
