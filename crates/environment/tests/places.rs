//! An offset in an authored text leads back to the author's line.

use std::sync::Arc;

use environment::{
    Body, Excerpt, Finding, MapSource, RepoPath, ResolvedEnvironment, Source, Target, Text,
    fill_excerpts, resolve,
};

const FILE: &str = "\
name: a
harness: codex
environment:
  name: runtime
  image: {kind: preset, name: default}
  steps:
    - RUN echo plain
    - \"RUN echo quoted\"
    - |
      RUN set -e; \\
        echo é literal

      # after a blank line
    - >-
      RUN echo
      folded
    - RUN echo \\
      continued
    - 'RUN echo ''escaped'''
    - |2

        RUN indented
    - |-

      RUN after a blank line
    - &anchored |
      RUN anchored
";

fn path() -> RepoPath {
    RepoPath::new(".auto/agents/a.yaml").expect("a path")
}

fn source(newline: &str) -> MapSource {
    let text = FILE.replace('\n', newline);
    MapSource([(path(), Arc::from(text.into_bytes()))].into())
}

fn steps(environment: &ResolvedEnvironment) -> Vec<&Text> {
    let bodies = environment.stages.iter().map(|stage| &stage.body);
    bodies
        .filter_map(|body| match body {
            Body::Instruction { text } => Some(text),
            Body::Platform | Body::Commands { .. } | Body::Packages { .. } => None,
        })
        .collect()
}

/// The place of `word` in the step that holds it.
fn place_of(steps: &[&Text], word: &str) -> (u32, u32) {
    let found = steps.iter().find_map(|step| Some((step, step.value.find(word)?)));
    let (step, offset) = found.expect(word);
    let place = step.place_at(offset).expect("an authored text");
    (place.line, place.column)
}

#[test]
fn offsets_lead_to_lines() {
    for newline in ["\n", "\r\n"] {
        let resolution = resolve(&source(newline), &Target::All);
        assert_eq!(resolution.findings, []);
        let steps = steps(&resolution.environments[0]);
        for (word, place) in [
            ("plain", (7, 16)),
            ("quoted", (8, 17)),
            ("set -e", (10, 11)),
            ("é literal", (11, 14)),
            ("literal", (11, 16)),
            ("# after", (13, 7)),
            // Folded, escaped or continued: only the start can be shown.
            ("folded", (15, 7)),
            ("continued", (17, 7)),
            ("escaped", (19, 7)),
            ("indented", (22, 13)),
            ("RUN after", (25, 7)),
            ("anchored", (27, 11)),
        ] {
            assert_eq!(place_of(&steps, word), place, "{word}");
        }
        let start = steps[0].place_at(usize::MAX).map(|place| (place.line, place.column));
        assert_eq!(start, Some((7, 21)), "past the end means the end");
    }
}

#[test]
fn excerpts_are_filled_from_the_source() {
    let source = source("\n");
    let resolution = resolve(&source, &Target::All);
    let steps = steps(&resolution.environments[0]);
    let offset = steps[2].value.find("literal").expect("the word");
    let mut findings = vec![Finding {
        code: environment::Code::EmptyText,
        severity: environment::Severity::Error,
        place: steps[2].place_at(offset),
        message: String::new(),
        expected: None,
        hint: None,
        excerpt: None,
        related: Vec::new(),
    }];
    fill_excerpts(&mut findings, &source);
    let expected = Excerpt { line: "        echo é literal".into(), start: 15, len: 7 };
    assert_eq!(findings[0].excerpt, Some(expected));
    assert!(source.read(&path(), 10).is_err(), "the limit holds in the source for tests too");
}

#[test]
fn excerpts_stay_short_and_printable() {
    let long = format!("{}X{}", "a".repeat(1_000), "b".repeat(1_000));
    let excerpt = Excerpt::new(&long, 1_000, 1);
    assert!(excerpt.line.chars().count() <= 162);
    assert_eq!(excerpt.line.chars().nth(excerpt.start as usize), Some('X'));
    assert_eq!(
        Excerpt::new("a\tb\u{1b}[0m", 2, 99),
        Excerpt { line: "a b␛[0m".into(), start: 2, len: 5 }
    );
    assert_eq!(Excerpt::new("", 7, 0), Excerpt { line: "".into(), start: 0, len: 1 });
}
