//! The JSON report: every case with what it was, how it ended and what that means. A contract.

use runner::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

use crate::judge::{Expect, Judgement, Standing};
use crate::recording::{Recorded, Start};
use crate::report::json::FindingRow;

/// The whole report.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Summary<'a> {
    /// `summary/1`.
    schema: &'static str,
    /// What the recording began with.
    start: &'a Start,
    /// How long it took, in milliseconds.
    took_ms: u64,
    /// The exit status; `null` when the recording was cut short.
    exit: Option<u8>,
    /// How many cases stand how.
    counts: Counts,
    /// The cases, in order.
    cases: Vec<Row<'a>>,
}

/// How many cases stand how.
#[derive(Debug, Serialize, JsonSchema)]
struct Counts {
    as_expected: usize,
    not_as_expected: usize,
    infrastructure: usize,
    not_run: usize,
}

/// One case.
#[derive(Debug, Serialize, JsonSchema)]
struct Row<'a> {
    /// Its name.
    name: &'a str,
    /// The environment's name.
    environment: &'a str,
    /// The agents that share its plan.
    agents: &'a [String],
    /// The base that was tried.
    base: &'a str,
    /// The builder that was asked for.
    builder: &'a str,
    /// The folder that its files are relative to; empty for the repository's root.
    folder: &'a str,
    /// How it was expected to end.
    expect: &'a Expect,
    /// What its end means.
    judgement: &'a Judgement,
    /// How it ended.
    outcome: Option<&'a Outcome>,
    /// The name of the case whose run it shares.
    shared_with: Option<&'a str>,
    /// How often it was tried.
    attempts: u32,
    /// How long its run took, in milliseconds.
    took_ms: u64,
    /// What was found in its definition.
    findings: &'a [FindingRow],
}

impl<'a> Summary<'a> {
    /// The report of a recording.
    pub(crate) fn of(recorded: &'a Recorded) -> Self {
        let cases = recorded.cases.iter().map(|case| {
            let about = &case.about;
            let run = recorded.run_of(case);
            Row {
                name: &about.name,
                environment: &about.environment,
                agents: &about.agents,
                base: &about.base,
                builder: &about.builder,
                folder: &about.folder,
                expect: &about.expect,
                judgement: &case.judgement,
                outcome: case.outcome.as_ref(),
                shared_with: case.shared_with.map(|_| run.about.name.as_str()),
                attempts: run.attempts,
                took_ms: run.took_ms(),
                findings: &about.findings,
            }
        });
        Self {
            schema: "summary/1",
            start: &recorded.start,
            took_ms: recorded.took_ms,
            exit: recorded.exit,
            counts: Counts {
                as_expected: recorded.count(Standing::AsExpected),
                not_as_expected: recorded.count(Standing::NotAsExpected),
                infrastructure: recorded.count(Standing::Infrastructure),
                not_run: recorded.count(Standing::NotRun),
            },
            cases: cases.collect(),
        }
    }
}
