//! What an outcome means for a case that was expected to end in a certain way. Pure.

mod expect;

pub(crate) use expect::Expect;

use environment::Severity;
use runner::{Outcome, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use triage::{Code, Failure, Owner};

use crate::exit::Status;
use crate::report::json::FindingRow;
use crate::report::name_of;

/// How a case stands, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Judgement {
    /// How it stands.
    pub(crate) standing: Standing,
    /// Why, in one sentence without a full stop.
    pub(crate) why: String,
}

/// How a case stands: what was expected, something else, or nothing was learnt.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// It passed where passing was expected, or failed for the stated reason.
    AsExpected,
    /// It failed elsewhere, or passed unexpectedly.
    NotAsExpected,
    /// Engine, registry, network or mirror: nothing was learnt about the definition.
    Infrastructure,
    /// It was not tried.
    #[default]
    NotRun,
}

impl Standing {
    /// All of them, the worst news first.
    pub(crate) const ALL: [Self; 4] =
        [Self::NotAsExpected, Self::Infrastructure, Self::NotRun, Self::AsExpected];

    /// In words for a tally: `3 as expected`.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::AsExpected => "as expected",
            Self::NotAsExpected => "not as expected",
            Self::Infrastructure => "infrastructure",
            Self::NotRun => "not run",
        }
    }

    /// The sign that stands for it in every report.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::AsExpected => "✓",
            Self::NotAsExpected => "✗",
            Self::Infrastructure => "↻",
            Self::NotRun => "–",
        }
    }
}

impl Default for Judgement {
    fn default() -> Self {
        Self { standing: Standing::NotRun, why: "not run".to_owned() }
    }
}

impl Judgement {
    /// The exit status of a run that holds only this case.
    pub(crate) fn status(&self, outcome: Option<&Outcome>) -> Status {
        match (self.standing, outcome.map(Status::of)) {
            (Standing::AsExpected, _) => Status::Passed,
            (Standing::NotRun, Some(Status::Cancelled)) => Status::Cancelled,
            (Standing::NotRun, _) => Status::Passed,
            (Standing::Infrastructure, _) => Status::Inconclusive,
            (Standing::NotAsExpected, Some(Status::OurFault)) => Status::OurFault,
            (Standing::NotAsExpected, _) => Status::Failed,
        }
    }
}

/// Compares an outcome with what was expected.
pub(crate) fn judge(expect: &Expect, outcome: &Outcome, findings: &[FindingRow]) -> Judgement {
    let how = how(outcome, findings);
    let infrastructure =
        outcome.failure.as_ref().is_some_and(|failure| failure.owner == Owner::Infrastructure);
    let (standing, why) = match (outcome.verdict, expect) {
        (Verdict::Cancelled, _) => (Standing::NotRun, "cancelled".to_owned()),
        (Verdict::Passed, Expect::Pass) => (Standing::AsExpected, how),
        (Verdict::Passed, Expect::Fail(failure)) => {
            (Standing::NotAsExpected, format!("passed, but {failure} was expected"))
        }
        (_, Expect::Fail(failure)) if failure.is(outcome, findings) => {
            (Standing::AsExpected, format!("{how}, as expected"))
        }
        (Verdict::Inconclusive, _) if infrastructure => (Standing::Infrastructure, how),
        (Verdict::Failed | Verdict::Inconclusive, Expect::Pass) => (Standing::NotAsExpected, how),
        (Verdict::Failed | Verdict::Inconclusive, Expect::Fail(failure)) => {
            (Standing::NotAsExpected, format!("{how}, but {failure} was expected"))
        }
    };
    Judgement { standing, why }
}

/// The code that names a failure: of the build, or of the first error in the definition.
pub(crate) fn code(outcome: &Outcome, findings: &[FindingRow]) -> Option<String> {
    let failure = outcome.failure.as_ref()?;
    let invalid = invalid(failure, findings).map(environment::Code::name);
    Some(invalid.unwrap_or(failure.code.name()).to_owned())
}

/// The first error in the definition, where that is what stopped the run.
fn invalid(failure: &Failure, findings: &[FindingRow]) -> Option<environment::Code> {
    let refused = failure.code == Code::DefinitionInvalid;
    let error = findings.iter().find(|finding| finding.severity == Severity::Error);
    error.filter(|_| refused).map(|finding| finding.code)
}

/// How a run ended, as a fragment.
fn how(outcome: &Outcome, findings: &[FindingRow]) -> String {
    match &outcome.failure {
        None => "passed".to_owned(),
        Some(failure) => format!(
            "failed with {} in {} (owner: {})",
            code(outcome, findings).unwrap_or_default(),
            name_of(&failure.phase),
            name_of(&failure.owner)
        ),
    }
}

#[cfg(test)]
mod tests {
    use triage::Phase;

    use super::*;

    fn outcome(failure: Option<(Code, Phase)>) -> Outcome {
        let failure = failure.map(|(code, phase)| Failure::new(code, phase, String::new()));
        let mut outcome = runner::fold(&[]);
        outcome.verdict = match failure.as_ref().map(|failure| failure.owner) {
            None => Verdict::Passed,
            Some(Owner::Infrastructure | Owner::Tool) => Verdict::Inconclusive,
            Some(Owner::Author | Owner::BaseImage) => Verdict::Failed,
        };
        outcome.failure = failure;
        outcome
    }

    fn check(expect: &str, outcome: &Outcome, standing: Standing, why: &str) {
        #[derive(Deserialize)]
        struct Toml {
            expect: Expect,
        }
        let Toml { expect } = toml::from_str(&format!("expect = {expect}")).unwrap();
        let judgement = judge(&expect, outcome, &[]);
        assert_eq!((judgement.standing, judgement.why.as_str()), (standing, why), "{expect:?}");
    }

    #[test]
    fn a_failure_counts_only_for_the_stated_reason() {
        let passed = outcome(None);
        let loader = outcome(Some((Code::ContractGlibcLoader, Phase::Probe)));
        let setup = outcome(Some((Code::Unclassified, Phase::Setup)));
        let good = Standing::AsExpected;
        let bad = Standing::NotAsExpected;
        check("'pass'", &passed, good, "passed");
        check(
            "'contract-glibc-loader'",
            &loader,
            good,
            "failed with contract-glibc-loader in probe (owner: base-image), as expected",
        );
        check(
            "{ check = 'glibc-loader' }",
            &loader,
            good,
            "failed with contract-glibc-loader in probe (owner: base-image), as expected",
        );
        check(
            "{ phase = 'setup', owner = 'author' }",
            &setup,
            good,
            "failed with unclassified in setup (owner: author), as expected",
        );
        check(
            "'contract-glibc-loader'",
            &passed,
            bad,
            "passed, but contract-glibc-loader was expected",
        );
        check(
            "'pass'",
            &loader,
            bad,
            "failed with contract-glibc-loader in probe (owner: base-image)",
        );
        check(
            "{ check = 'glibc' }",
            &loader,
            bad,
            "failed with contract-glibc-loader in probe (owner: base-image), but check glibc was expected",
        );
        check(
            "{ code = 'unclassified', phase = 'authored-step' }",
            &setup,
            bad,
            "failed with unclassified in setup (owner: author), but unclassified in authored-step was expected",
        );
    }

    #[test]
    fn infrastructure_is_neither_unless_it_was_expected() {
        let mut gone = outcome(Some((Code::Unclassified, Phase::Pull)));
        gone.verdict = Verdict::Inconclusive;
        if let Some(failure) = &mut gone.failure {
            failure.owner = Owner::Infrastructure;
        }
        let how = "failed with unclassified in pull (owner: infrastructure)";
        check("'pass'", &gone, Standing::Infrastructure, how);
        check("'contract-glibc'", &gone, Standing::Infrastructure, how);
        check(
            "{ phase = 'pull', owner = 'infrastructure' }",
            &gone,
            Standing::AsExpected,
            &format!("{how}, as expected"),
        );
    }
}
