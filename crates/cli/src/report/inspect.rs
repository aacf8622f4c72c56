//! The report of `drydock inspect`: for people, and for machines.

use std::fmt::Write as _;

use contract::{
    Answer, CheckAnswer, CheckResult, ContractVerdict, Forecast, ImageFacts, Level, Note, Weight,
};
use image::{Inspection, Origin, ReadFailure, ReadOwner, ReadRetry, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{data, json_pretty, style, text};
use crate::commands::inspect::{level, status};
use crate::exit::Status;
use crate::fault::Fault;

/// What `inspect --json` prints. The field names are a contract.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct InspectReport {
    /// `inspect/1`.
    schema: String,
    /// What was asked for.
    reference: String,
    /// `passed`, `failed` or `inconclusive`, as the exit status says.
    verdict: String,
    /// How it was reached; `null` when the image could not be read.
    level: Option<Level>,
    /// The line that the probe would print.
    marker: Option<String>,
    /// Why there is no marker, or why it is refused.
    reason: Option<String>,
    /// The five checks, in the probe's order.
    checks: Vec<CheckAnswer>,
    /// The classic builder's answer, where it differs from BuildKit's.
    classic: Option<Answer>,
    /// Whether the platform's packages can be installed, and why not.
    bootstrap: Option<Bootstrap>,
    /// What the verdict was made from.
    facts: Option<ImageFacts>,
    /// What the platform would meet.
    forecast: Option<Forecast>,
    /// What is worth knowing.
    findings: Vec<Note>,
    /// Where the image was read.
    origin: Option<Origin>,
    /// What reading cost and left out.
    reading: Option<Reading>,
    /// Why the image could not be read.
    failure: Option<Failure>,
}

/// Whether the platform's packages can be installed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Bootstrap {
    result: CheckResult,
    reason: Option<String>,
}

/// Why an image could not be read.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Failure {
    #[serde(flatten)]
    read: ReadFailure,
    owner: ReadOwner,
    retry: ReadRetry,
    hint: String,
}

/// Prints the object.
pub(crate) fn json(reference: &str, inspection: Inspection) -> Result<(), Fault> {
    let verdict = word(status(&inspection)).to_owned();
    let Inspection { origin, verdict: contract, forecast, facts, reading } = inspection;
    let marker = contract.marker();
    let reason = reason(&contract.answer).map(str::to_owned);
    let ContractVerdict { level, checks, classic, .. } = contract;
    json_pretty(&InspectReport {
        schema: "inspect/1".to_owned(),
        reference: reference.to_owned(),
        verdict,
        level: Some(level),
        marker,
        reason,
        checks,
        classic,
        bootstrap: Some(Bootstrap {
            result: forecast.bootstrap,
            reason: forecast.bootstrap_reason.clone(),
        }),
        facts: Some(facts),
        findings: forecast.notes.clone(),
        forecast: Some(forecast),
        origin: Some(origin),
        reading: Some(reading),
        failure: None,
    })
}

/// Prints the object of an image that could not be read.
pub(crate) fn json_failure(reference: &str, failure: ReadFailure) -> Result<(), Fault> {
    let verdict = match failure.code.retry() {
        ReadRetry::Never => "failed",
        ReadRetry::Later => "inconclusive",
    };
    json_pretty(&InspectReport {
        schema: "inspect/1".to_owned(),
        reference: reference.to_owned(),
        verdict: verdict.to_owned(),
        level: None,
        marker: None,
        reason: None,
        checks: Vec::new(),
        classic: None,
        bootstrap: None,
        facts: None,
        forecast: None,
        findings: Vec::new(),
        origin: None,
        reading: None,
        failure: Some(Failure {
            owner: failure.code.owner(),
            retry: failure.code.retry(),
            hint: failure.code.hint().to_owned(),
            read: failure,
        }),
    })
}

/// A failed reading as a command's own fault.
pub(crate) fn fault(failure: &ReadFailure, status: Status) -> Fault {
    let wait = failure.retry_after_s.map(|wait| format!("; it asks to wait {wait} s"));
    let message =
        format!("{} ({}){}", failure.message, failure.code.name(), wait.unwrap_or_default());
    Fault { status, message, hint: Some(failure.code.hint().to_owned()) }
}

/// Prints the report for people.
pub(crate) fn print(reference: &str, inspection: &Inspection) -> Result<(), Fault> {
    data(words(reference, inspection).as_bytes())
}

fn words(reference: &str, inspection: &Inspection) -> String {
    let Inspection { origin, verdict, forecast, facts, reading } = inspection;
    let (faint, strong) = (style::FAINT, style::STRONG);
    let mut words = String::new();
    let (style, word) = match status(inspection) {
        Status::Passed => (style::GOOD, "PASSED"),
        Status::Inconclusive => (style::WARNING, "INCONCLUSIVE"),
        _ => (style::ERROR, "FAILED"),
    };
    let reference = text::plain(reference);
    let how = level(verdict.level);
    let _ = writeln!(
        words,
        "{style}{word}{style:#}  {strong}{reference}{strong:#}  {faint}{how}{faint:#}"
    );
    row(&mut words, "probe", &answer(&verdict.answer));
    if let Some(marker) = verdict.marker() {
        row(&mut words, "prints", &marker);
    }
    if let Some(other) = &verdict.classic {
        row(&mut words, "classic", &format!("the classic builder differs: {}", answer(other)));
    }
    for CheckAnswer { check, result, reason } in &verdict.checks {
        let (style, mark) = match result {
            CheckResult::Pass => (style::GOOD, "pass"),
            CheckResult::Fail => (style::ERROR, "fail"),
            CheckResult::Unknown => (style::WARNING, "?   "),
        };
        let _ = match reason.as_deref().map(text::plain) {
            None => writeln!(words, "    {style}{mark}{style:#}  {}", check.name()),
            Some(reason) => writeln!(
                words,
                "    {style}{mark}{style:#}  {:<13}{faint}{reason}{faint:#}",
                check.name()
            ),
        };
    }
    let bootstrap = match forecast.bootstrap {
        CheckResult::Pass => "the platform's packages can be had by apt-get",
        CheckResult::Fail | CheckResult::Unknown => {
            forecast.bootstrap_reason.as_deref().unwrap_or("unknown")
        }
    };
    if verdict.level != Level::Predicted {
        row(&mut words, "then", bootstrap);
    }
    if let Some(release) = &forecast.os_release {
        row(&mut words, "system", release.pretty_name.as_deref().unwrap_or(&release.id));
    }
    if let Some(size) = facts.size {
        row(&mut words, "size", &format!("{} unpacked", text::size(size)));
    }
    row(&mut words, "from", &format!("{} {}", origin.kind, origin.name));
    for Note { code, severity, message, hint } in &forecast.notes {
        let style = match severity {
            Weight::Error => style::ERROR,
            Weight::Warning => style::WARNING,
            Weight::Note => style::FAINT,
        };
        let _ = writeln!(words, "  {style}{}{style:#}  {}", code.name(), text::plain(message));
        if let Some(hint) = hint {
            let _ = writeln!(words, "    {faint}{hint}{faint:#}");
        }
    }
    for loose in &reading.not_verified {
        let _ = writeln!(words, "  {faint}not verified: {}{faint:#}", text::plain(loose));
    }
    words
}

fn row(words: &mut String, name: &str, value: &str) {
    let _ = writeln!(words, "  {name:<7} {}", text::plain(value));
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Accepted => "passes".to_owned(),
        Answer::Refused { check, reason, .. } => format!("fails at {}: {reason}", check.name()),
        Answer::Silent { reason, .. } => format!("fails without a marker: {reason}"),
        Answer::Unreadable { reason, refused: false } => {
            format!("cannot be read statically: {reason}")
        }
        Answer::Unreadable { reason, refused: true } => {
            format!("fails, but at which check cannot be read statically: {reason}")
        }
    }
}

fn reason(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Accepted => None,
        Answer::Refused { reason, .. }
        | Answer::Silent { reason, .. }
        | Answer::Unreadable { reason, .. } => Some(reason),
    }
}

const fn word(status: Status) -> &'static str {
    match status {
        Status::Passed => "passed",
        Status::Failed | Status::Invalid => "failed",
        Status::NoEngine | Status::OurFault | Status::Inconclusive | Status::Cancelled => {
            "inconclusive"
        }
    }
}
