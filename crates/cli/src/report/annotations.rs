//! What deserves a mark at a line of somebody's file: cases that are not as expected, and findings.

use std::collections::BTreeSet;

use environment::Severity;

use super::text;
use crate::judge::Standing;
use crate::recording::{Case, Recorded};

/// How many evidence lines a message holds.
const EVIDENCE: usize = 5;

/// One mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Annotation {
    /// How loud it is.
    pub(crate) level: Severity,
    /// The code that names it.
    pub(crate) code: String,
    /// A few words.
    pub(crate) title: String,
    /// What happened, why, and what to do.
    pub(crate) message: String,
    /// File from the repository's root, line, column.
    pub(crate) place: Option<(String, u32, u32)>,
}

/// All marks: cases first, then findings, each finding once.
pub(crate) fn annotations(recorded: &Recorded) -> Vec<Annotation> {
    let cases = recorded.cases.iter().filter_map(of_case);
    let findings = findings(recorded);
    cases.chain(findings).collect()
}

fn of_case(case: &Case) -> Option<Annotation> {
    let level = match case.judgement.standing {
        Standing::NotAsExpected => Severity::Error,
        Standing::Infrastructure => Severity::Warning,
        Standing::AsExpected | Standing::NotRun => return None,
    };
    let failure = case.outcome.as_ref().and_then(|outcome| outcome.failure.as_ref());
    let mut lines = vec![case.judgement.why.clone()];
    let mut place = None;
    if let Some(failure) = failure {
        lines.push(failure.summary.clone());
        lines.extend(failure.evidence.iter().take(EVIDENCE).map(|line| format!("| {}", line.text)));
        lines.extend(failure.hint.clone());
        place = failure.source.as_ref().map(|at| (case.path(&at.file), at.line, at.column));
    } else if let Some(plan) = &case.about.plan {
        // Passed where a failure was expected: the definition is what there is to look at.
        place = plan.sources.last().map(|file| (case.path(file.path.as_str()), 1, 1));
    }
    Some(Annotation {
        level,
        code: case.code().unwrap_or_else(|| "passed-unexpectedly".to_owned()),
        title: text::plain(&case.about.name).into_owned(),
        message: lines
            .iter()
            .filter(|line| !line.is_empty())
            .map(|line| text::plain(line))
            .collect::<Vec<_>>()
            .join("\n"),
        place,
    })
}

fn findings(recorded: &Recorded) -> Vec<Annotation> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for case in &recorded.cases {
        // A definition that is meant to be invalid says so in its case, not at its line.
        let meant = case.judgement.standing == Standing::AsExpected
            && case.about.expect != crate::judge::Expect::Pass;
        for finding in case.about.findings.iter().filter(|_| !meant) {
            let place = finding.file.as_ref().map(|file| {
                (case.path(file), finding.line.unwrap_or(1), finding.column.unwrap_or(1))
            });
            if seen.insert((place.clone(), finding.code.name(), finding.message.clone())) {
                let mut message = finding.message.clone();
                for more in [&finding.expected, &finding.hint].into_iter().flatten() {
                    message.push('\n');
                    message.push_str(more);
                }
                all.push(Annotation {
                    level: finding.severity,
                    code: finding.code.name().to_owned(),
                    title: finding.code.name().to_owned(),
                    message: text::plain_lines(&message),
                    place,
                });
            }
        }
    }
    all
}
