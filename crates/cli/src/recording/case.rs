//! What a recording comes to: cases with their spans, outputs, outcome and judgement.

use std::collections::BTreeMap;

use environment::Place;
use runner::Outcome;
use triage::Phase;

use super::{About, Output, Start};
use crate::exit::Status;
use crate::judge::{self, Judgement, Standing};

/// Everything that a recording says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// What it began with.
    pub(crate) start: Start,
    /// The definition files, by path (folder of the case in front).
    pub(crate) files: BTreeMap<String, String>,
    /// The cases, in order.
    pub(crate) cases: Vec<Case>,
    /// How long it took, in milliseconds.
    pub(crate) took_ms: u64,
    /// The exit status; `None` when the recording was cut short.
    pub(crate) exit: Option<u8>,
}

/// One case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    /// What it is.
    pub(crate) about: About,
    /// How often it was tried.
    pub(crate) attempts: u32,
    /// The engine.
    pub(crate) engine: Option<String>,
    /// The builder that it used.
    pub(crate) builder: Option<String>,
    /// When its last try began and when it ended, in milliseconds.
    pub(crate) from_ms: u64,
    /// The end of it.
    pub(crate) to_ms: u64,
    /// Phases, steps and smoke commands, in the order in which they began.
    pub(crate) spans: Vec<Span>,
    /// The case whose run it shares.
    pub(crate) shared_with: Option<usize>,
    /// How it ended.
    pub(crate) outcome: Option<Outcome>,
    /// What that means; not judged yet when the recording was cut short.
    pub(crate) judgement: Judgement,
}

/// Something that took time.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// What it is.
    pub(crate) key: SpanKey,
    /// Its phase.
    pub(crate) phase: Phase,
    /// Its name.
    pub(crate) title: String,
    /// When it began.
    pub(crate) from_ms: u64,
    /// When it ended.
    pub(crate) to_ms: u64,
    /// How.
    pub(crate) state: SpanState,
    /// Where the author asked for it.
    pub(crate) place: Option<Place>,
    /// The end of what it wrote.
    pub(crate) output: Output,
}

/// What a span stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SpanKey {
    /// A phase.
    Phase(Phase),
    /// An instruction of the plan.
    Step(usize),
    /// A smoke command.
    Smoke(String),
}

/// How a span ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpanState {
    /// It did not.
    Running,
    /// Well.
    Done {
        /// Whether it came from the cache.
        cached: bool,
    },
    /// Badly.
    Failed,
}

impl Recorded {
    /// Whether the last record is there.
    pub(crate) const fn complete(&self) -> bool {
        self.exit.is_some()
    }

    /// How many cases stand so.
    pub(crate) fn count(&self, standing: Standing) -> usize {
        self.cases.iter().filter(|case| case.judgement.standing == standing).count()
    }

    /// The engines that were used.
    pub(crate) fn engine(&self) -> Option<String> {
        let mut engines: Vec<&str> =
            self.cases.iter().filter_map(|case| case.engine.as_deref()).collect();
        engines.sort_unstable();
        engines.dedup();
        (!engines.is_empty()).then(|| engines.join(", "))
    }

    /// The case whose events tell what happened in this one.
    pub(crate) fn run_of<'a>(&'a self, case: &'a Case) -> &'a Case {
        case.shared_with.and_then(|index| self.cases.get(index)).unwrap_or(case)
    }

    /// The exit status that the whole run ends with. What no case can tell (no engine, a stop)
    /// stands as it was recorded.
    pub(crate) fn exit(&self) -> Option<Status> {
        let recorded = Status::from_number(self.exit?)?;
        Some(match recorded {
            Status::Passed | Status::Failed | Status::Inconclusive => self.status(),
            other => other,
        })
    }

    /// The exit status that the cases come to.
    pub(crate) fn status(&self) -> Status {
        self.cases.iter().map(Case::status).fold(Status::Passed, Status::worse)
    }
}

impl Case {
    /// What its outcome means, by its own expectation.
    pub(super) fn judged_again(&self) -> Option<Judgement> {
        let outcome = self.outcome.as_ref()?;
        Some(judge::judge(&self.about.expect, outcome, &self.about.findings))
    }

    /// The exit status that this case alone would have.
    pub(crate) fn status(&self) -> Status {
        self.judgement.status(self.outcome.as_ref())
    }

    /// The engine and its builder; the builder that was asked for where nothing ran.
    pub(crate) fn ran_on(&self) -> String {
        match (&self.engine, &self.builder) {
            (Some(engine), Some(builder)) => format!("{engine}, {builder}"),
            _ => self.about.builder.clone(),
        }
    }

    /// How long its run took.
    pub(crate) const fn took_ms(&self) -> u64 {
        self.to_ms.saturating_sub(self.from_ms)
    }

    /// The code of its failure, or of the first error in its definition.
    pub(crate) fn code(&self) -> Option<String> {
        self.outcome.as_ref().and_then(|outcome| judge::code(outcome, &self.about.findings))
    }

    /// The step or command that failed, if one did.
    pub(crate) fn failed_span(&self) -> Option<&Span> {
        let failed = |span: &&Span| span.state == SpanState::Failed;
        let steps = self.spans.iter().filter(|span| !matches!(span.key, SpanKey::Phase(_)));
        steps.clone().find(failed)
    }

    /// A path of this case as it is seen from the repository's root.
    pub(crate) fn path(&self, file: &str) -> String {
        match self.about.folder.as_str() {
            "" => file.to_owned(),
            folder => format!("{folder}/{file}"),
        }
    }
}
