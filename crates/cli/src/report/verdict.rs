//! The last screen: what, where, whose, what next, and what was not proven.

use std::fmt::Write as _;

use environment::Finding;
use runner::{Level, NoEngine, Outcome, Verdict};
use triage::{Code, Failure, Phase};

use super::json::{self, Report, Tried};
use super::{failure, name_of, note, style, text};
use crate::commands::engine::START_ONE;
use crate::exit::Status;
use crate::fault::Fault;

/// How a `check` closes.
pub(crate) struct Closing<'a> {
    /// What was found in the definitions.
    pub(crate) findings: &'a [Finding],
    /// Whether machines read it.
    pub(crate) json: bool,
    /// Whether definitions came from the working tree.
    pub(crate) dirty: bool,
}

impl Closing<'_> {
    /// A finding is an error: nothing was built.
    pub(crate) fn invalid(&self) -> Outcome {
        invalid(self.findings)
    }

    /// No engine: nothing was proven beyond the findings.
    pub(crate) fn no_engine(&self, error: &NoEngine) -> Outcome {
        let mut failure = Failure::new(Code::DaemonAccess, Phase::PreBuild, error.to_string());
        failure.hint = Some(START_ONE.to_owned());
        unproven(Verdict::Inconclusive, failure)
    }

    /// Every plan was tried.
    pub(crate) fn verdict(&self, tried: Vec<Tried>) -> Result<Status, Fault> {
        let statuses = tried.iter().map(|tried| Status::of(&tried.outcome));
        let status = statuses.fold(Status::Passed, Status::worse);
        let worst = tried.iter().find(|tried| Status::of(&tried.outcome) == status);
        let Some(outcome) = worst.map(|tried| tried.outcome.clone()) else {
            return Err(Fault::ours("no environment was tried".to_owned()));
        };
        if self.json {
            self.last_line(outcome, tried)?;
        } else if tried.len() > 1 {
            note(&table(&tried));
        }
        Ok(status)
    }

    /// The command could not do its work: machines get an outcome all the same.
    pub(crate) fn fault(&self, fault: &Fault) -> Result<(), Fault> {
        let mut failure = Failure::new(Code::Usage, Phase::PreBuild, fault.message.clone());
        failure.hint.clone_from(&fault.hint);
        self.last_line(unproven(Verdict::Failed, failure), Vec::new())
    }

    /// Closes a check that ran nothing.
    pub(crate) fn unproven(&self, outcome: Outcome, status: Status) -> Result<Status, Fault> {
        if self.json {
            self.last_line(outcome, Vec::new())?;
        } else {
            print(&outcome, &[]);
        }
        Ok(status)
    }

    fn last_line(&self, outcome: Outcome, environments: Vec<Tried>) -> Result<(), Fault> {
        let findings = json::rows(self.findings);
        let report = Report { outcome, findings, environments, dirty: self.dirty };
        super::written(json::line(&report))
    }
}

/// The outcome where a definition is invalid: nothing is built.
pub(crate) fn invalid(found: &[Finding]) -> Outcome {
    let mut errors = found.iter().filter(|f| f.severity == environment::Severity::Error);
    let first = errors.next();
    let message = first.map_or("", |finding| finding.message.as_str());
    let more = match errors.count() {
        0 => String::new(),
        more => format!(" (and {})", text::count(more, "more error")),
    };
    let summary = format!("the definition is invalid: {message}{more}");
    let mut failure = Failure::new(Code::DefinitionInvalid, Phase::PreBuild, summary);
    failure.source = first.and_then(|finding| finding.place.as_ref()).map(runner::source_place);
    unproven(Verdict::Failed, failure)
}

/// The outcome of a check that ran nothing.
fn unproven(verdict: Verdict, failure: Failure) -> Outcome {
    Outcome {
        schema: "outcome/1".to_owned(),
        verdict,
        level: Level::Predicted,
        failure: Some(failure),
        phases: Vec::new(),
        image: None,
        plan_digest: String::new(),
        not_proven: Vec::new(),
    }
}

/// Prints one outcome to standard error.
pub(crate) fn print(outcome: &Outcome, last_words: &[String]) {
    note(&format!("\n{}", words(outcome, last_words)));
}

/// One outcome in words.
fn words(outcome: &Outcome, last_words: &[String]) -> String {
    let Outcome { verdict, level, failure, image, not_proven, phases, .. } = outcome;
    let total: u64 = phases.iter().map(|phase| phase.duration_ms).sum();
    let (good, bad, warning, faint) = (style::GOOD, style::ERROR, style::WARNING, style::FAINT);
    let mut words = match verdict {
        Verdict::Passed => format!("{good}PASSED{good:#}"),
        Verdict::Failed => format!("{bad}FAILED{bad:#}"),
        Verdict::Inconclusive => format!("{warning}INCONCLUSIVE{warning:#}"),
        Verdict::Cancelled => format!("{warning}CANCELLED{warning:#}"),
    };
    if let Some(failure) = failure {
        let _ = write!(words, "  {}", called(failure));
    }
    let _ = writeln!(words, "  {faint}{}, {}{faint:#}", name_of(level), text::time(total));
    if let Some(failure) = failure {
        words.push_str(&failure::words(failure, last_words));
    }
    if let Some(image) = image {
        let _ = writeln!(words, "  kept    {}", text::plain(image));
    }
    if !not_proven.is_empty() {
        let _ = writeln!(words, "  {faint}not proven:{faint:#}");
        for item in not_proven {
            let _ = writeln!(words, "  {faint}- {}{faint:#}", text::plain(&item.why));
        }
    }
    words
}

/// What a failure is called in one word: where nothing more is known, the phase says most.
fn called(failure: &Failure) -> String {
    match failure.code {
        Code::Unclassified => name_of(&failure.phase),
        code => code.name().to_owned(),
    }
}

/// One line for each environment of several.
fn table(tried: &[Tried]) -> String {
    let mut words = String::from("\n");
    for Tried { environment, agents, base, outcome, .. } in tried {
        let code = outcome.failure.as_ref().map_or(String::new(), called);
        let _ = writeln!(
            words,
            "{:<13} {} on {} ({})  {code}",
            name_of(&outcome.verdict),
            text::plain(environment),
            text::plain(base),
            text::plain(&agents.join(", ")),
        );
    }
    words
}
