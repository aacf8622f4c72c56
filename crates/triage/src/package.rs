//! Which of the packages that a step installs is the one that failed.

use crate::{AskedPackage, FailedStep, Failure, Owner};

/// The longest output that is searched, from its end, in lines.
const LINES: usize = 400;

/// Names the package in the summary and points at its place, when the evidence, or else a line of
/// the output that tells an error, names exactly one that was asked for.
pub(crate) fn blame(failure: &mut Failure, step: &FailedStep) {
    // Where the network or a mirror failed, the manager finds no package either: none is to blame.
    if failure.owner == Owner::Infrastructure {
        return;
    }
    let evidence = failure.evidence.iter().map(|line| line.text.as_str());
    let told = step.output.lines().rev().take(LINES).filter(|line| tells_an_error(line));
    let Some(package) = evidence.chain(told).find_map(|line| named(line, &step.packages)) else {
        return;
    };
    failure.source = package.source.clone().or_else(|| failure.source.take());
    failure.summary = format!("{}: {}", failure.summary, package.spec);
}

/// The package that a line names; of several the one with the longest name.
fn named<'p>(line: &str, packages: &'p [AskedPackage]) -> Option<&'p AskedPackage> {
    let named = packages.iter().filter(|package| holds_word(line, bare(&package.spec)));
    named.max_by_key(|package| bare(&package.spec).len())
}

fn tells_an_error(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.starts_with("e: ") || lower.contains("error") || lower.contains("npm err")
}

/// A package's name without its version.
fn bare(spec: &str) -> &str {
    if spec.contains("://") {
        return spec;
    }
    let versioned = |(at, c): &(usize, char)| *at > 0 && "@=<>~!;[:".contains(*c);
    spec.char_indices().find(versioned).map_or(spec, |(at, _)| &spec[..at])
}

/// Whether a line holds a name that no further letter of a name stands beside.
fn holds_word(line: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
    !name.is_empty()
        && line.match_indices(name).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + name.len()..].chars().next();
            !before.is_some_and(part) && !after.is_some_and(part)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Phase, SourcePlace};

    #[test]
    fn no_package_is_blamed_for_the_network() {
        let packages = vec![AskedPackage { spec: "hello".to_owned(), source: None }];
        let output = "E: Unable to locate package hello".to_owned();
        let step = FailedStep { output, packages, ..FailedStep::default() };
        let mut failure = Failure::new(Code::BuildDns, Phase::AuthoredStep, "no names".into());
        blame(&mut failure, &step);
        assert_eq!(failure.summary, "no names");
    }

    fn blamed(specs: &[&str], output: &str) -> (String, Option<u32>) {
        let place = |line| SourcePlace { file: "env.yaml".to_owned(), line, column: 9 };
        let packages = specs.iter().zip(1..).map(|(spec, line)| AskedPackage {
            spec: (*spec).to_owned(),
            source: Some(place(line)),
        });
        let step = FailedStep {
            output: output.to_owned(),
            packages: packages.collect(),
            ..FailedStep::default()
        };
        let mut failure = Failure::new(Code::Unclassified, Phase::AuthoredStep, "it failed".into());
        blame(&mut failure, &step);
        (failure.summary, failure.source.map(|source| source.line))
    }

    #[test]
    fn the_package_that_the_manager_complains_about_is_named() {
        for (specs, output, summary, line) in [
            (
                &["curl", "no-such"][..],
                "E: Unable to locate package no-such",
                "it failed: no-such",
                Some(2),
            ),
            (
                &["eslint", "@acme/none@1"],
                "npm error 404  '@acme/none@1' is not in this registry.",
                "it failed: @acme/none@1",
                Some(2),
            ),
            (
                &["pip-x", "x==9"],
                "ERROR: No matching distribution found for x==9",
                "it failed: x==9",
                Some(2),
            ),
            (&["a"], "Reading package lists...\nE: Some index files failed", "it failed", None),
            (
                &["lib", "libx"],
                "E: Version '1' for 'libx' was not found",
                "it failed: libx",
                Some(2),
            ),
        ] {
            assert_eq!(blamed(specs, output), (summary.to_owned(), line), "{output}");
        }
    }
}
