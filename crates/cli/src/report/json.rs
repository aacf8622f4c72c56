//! What machines read. The field names are a contract; `drydock schema` publishes them.

use std::io::{self, Write};

use environment::{Code, Finding, Place, Severity};
use planner::Plan;
use runner::{Event, Outcome, Reporter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The last line of `check --json`: the outcome that decides the exit status, and what led to it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Report {
    /// The outcome: of the one environment, or the worst of several.
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
    /// What was found in the definitions.
    pub(crate) findings: Vec<FindingRow>,
    /// Every environment that was tried, in order.
    pub(crate) environments: Vec<Tried>,
    /// Whether definitions came from the working tree instead of a commit (`--allow-dirty`).
    pub(crate) dirty: bool,
}

/// One environment that was tried.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tried {
    /// The environment's name.
    pub(crate) environment: String,
    /// The agents that share this plan.
    pub(crate) agents: Vec<String>,
    /// The base that was tried.
    pub(crate) base: String,
    /// The base that the definition names, where `--base` tried another.
    pub(crate) authored_base: Option<String>,
    /// Where reading the base and building on it said different things: a fault of Drydock's.
    pub(crate) disagreement: Option<String>,
    /// How it went.
    pub(crate) outcome: Outcome,
}

/// What `plan --format json` prints.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PlanReport {
    /// `plan-report/1`.
    pub(crate) schema: String,
    /// Every plan, equal ones once.
    pub(crate) plans: Vec<Plan>,
    /// What was found.
    pub(crate) findings: Vec<FindingRow>,
}

/// A finding, as machines read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct FindingRow {
    /// What was found.
    pub(crate) code: Code,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// The file, relative to the repository's root; `null` for what stands in no file.
    pub(crate) file: Option<String>,
    /// The line, from 1.
    pub(crate) line: Option<u32>,
    /// The column, from 1, in characters.
    pub(crate) column: Option<u32>,
    /// One line: what is wrong.
    pub(crate) message: String,
    /// What was expected there.
    pub(crate) expected: Option<String>,
    /// What to write or do instead.
    pub(crate) hint: Option<String>,
    /// Other places that belong to it.
    pub(crate) related: Vec<RelatedRow>,
}

/// Another place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RelatedRow {
    /// The file, relative to the repository's root.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1, in characters.
    pub(crate) column: u32,
    /// What stands there.
    pub(crate) message: String,
}

impl From<&Finding> for FindingRow {
    fn from(finding: &Finding) -> Self {
        let place = |part: fn(&Place) -> u32| finding.place.as_ref().map(part);
        Self {
            code: finding.code,
            severity: finding.severity,
            file: finding.place.as_ref().map(|place| place.file.to_string()),
            line: place(|place| place.line),
            column: place(|place| place.column),
            message: finding.message.clone(),
            expected: finding.expected.clone(),
            hint: finding.hint.clone(),
            related: finding
                .related
                .iter()
                .map(|related| RelatedRow {
                    file: related.place.file.to_string(),
                    line: related.place.line,
                    column: related.place.column,
                    message: related.message.clone(),
                })
                .collect(),
        }
    }
}

/// All findings as rows.
pub(crate) fn rows(findings: &[Finding]) -> Vec<FindingRow> {
    findings.iter().map(FindingRow::from).collect()
}

/// Writes one value on one line of standard output.
pub(crate) fn line(value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// One event a line.
pub(crate) struct JsonLines;

impl Reporter for JsonLines {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        line(event)
    }
}
