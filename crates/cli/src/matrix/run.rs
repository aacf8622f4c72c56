//! Tries the cases: groups side by side, the units of a group one after another, each run's end told at once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use runner::{BuilderChoice, CheckRequest, Engine, Outcome, PullPolicy, Verdict};
use tokio_util::sync::CancellationToken;
use triage::{EngineError, Failure, Observed, Retry};

use super::Case;
use super::gate::{Entry, Gates, Pass, behind_the_first};
use super::told::Told;
use super::units::{Unit, Units};
use crate::fault::Fault;
use crate::judge::{self, Judgement, Standing};
use crate::recording::{Recorder, broken};
use crate::report::board::Board;
use crate::report::json;
use crate::report::verdict;

/// The first wait before another try, where nothing names one; each further one is twice as long.
const WAIT: Duration = Duration::from_secs(2);

/// The longest wait before another try, whatever a registry asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// How the cases are tried.
#[derive(Clone, Debug)]
pub(crate) struct Tries {
    /// How many groups run at the same time.
    pub(crate) jobs: usize,
    /// How often a run is tried again when infrastructure failed.
    pub(crate) retries: u32,
    /// Whether the first case that is not as expected ends everything.
    pub(crate) fail_fast: bool,
    /// How bases are pulled.
    pub(crate) pull: PullPolicy,
}

/// Tries all cases. What happened is in the recorder.
pub(crate) async fn run(
    cases: &[Case],
    engines: &HashMap<BuilderChoice, Engine>,
    tries: &Tries,
    recorder: &RefCell<Recorder>,
    cancel: &CancellationToken,
) -> Result<(), Fault> {
    let units = Units::of(cases);
    let board = Board::new(cases.iter().map(|case| case.name.clone()).collect());
    let matrix = Matrix { cases, engines, tries, recorder, cancel, board, gates: Gates::default() };
    let result = matrix.all(&units).await;
    matrix.board.finish();
    result.map_err(|error| broken(&error))
}

struct Matrix<'a> {
    cases: &'a [Case],
    engines: &'a HashMap<BuilderChoice, Engine>,
    tries: &'a Tries,
    recorder: &'a RefCell<Recorder>,
    cancel: &'a CancellationToken,
    board: Board,
    gates: Gates,
}

impl Matrix<'_> {
    async fn all(&self, units: &Units) -> std::io::Result<()> {
        for case in &units.invalid {
            let definitions = self.cases[*case].definitions();
            self.judged(*case, None, &verdict::invalid(&definitions.findings))?;
        }
        let groups = units.groups.iter().map(|group| async move {
            for unit in group {
                if self.cancel.is_cancelled() {
                    break;
                }
                self.unit(unit).await?;
            }
            Ok(())
        });
        let mut running = stream::iter(groups).buffer_unordered(self.tries.jobs.max(1));
        let mut result = Ok(());
        while let Some(done) = running.next().await {
            if done.is_err() {
                // Nothing can be recorded any more: what still runs ends and cleans up.
                self.cancel.cancel();
            }
            result = result.and(done);
        }
        result
    }

    /// One run and everything that it decides.
    async fn unit(&self, unit: &Unit) -> std::io::Result<()> {
        let Some((first, others)) = unit.cases.split_first() else { return Ok(()) };
        let case = &self.cases[*first];
        let Some(mut request) = case.request(self.tries.pull) else { return Ok(()) };
        let pass = match self.gates.enter(&case.tried_base()).await {
            Entry::First(pass) => pass,
            Entry::Ready => {
                request.pull = behind_the_first(request.pull);
                Pass::none()
            }
            Entry::Failed(failure) => {
                let outcome = without_base(&request, *failure);
                for case in &unit.cases {
                    self.judged(*case, None, &outcome)?;
                }
                return Ok(());
            }
        };
        if self.cancel.is_cancelled() {
            return Ok(());
        }
        let outcome = self.tried(unit, *first, request, pass).await?;
        self.judged(*first, None, &outcome)?;
        for other in others {
            self.judged(*other, Some(*first), &outcome)?;
        }
        Ok(())
    }

    /// Runs it, again while infrastructure fails and tries are left.
    async fn tried(
        &self,
        unit: &Unit,
        case: usize,
        mut request: CheckRequest,
        pass: Pass,
    ) -> std::io::Result<Outcome> {
        let Case { builder, time_limit, .. } = &self.cases[case];
        let mut told = Told { recorder: self.recorder, board: &self.board, case, pass };
        let mut attempt = 0;
        loop {
            attempt += 1;
            self.recorder.borrow_mut().attempt(case, attempt)?;
            self.board.started(case);
            let stop = self.cancel.child_token();
            let run = runner::check(&self.engines[builder], &request, &mut told, &stop);
            let mut outcome = limited(run, *time_limit, &stop).await;
            let again = attempt <= self.tries.retries
                && unit.cases.iter().any(|case| self.may_pass_later(*case, &outcome));
            if !again {
                told.pass.close(&outcome);
                return Ok(outcome);
            }
            if told.pass.is_open() {
                request.pull = behind_the_first(request.pull);
            }
            let wait = wait(outcome.failure.as_ref(), attempt);
            self.board.waits(case, wait);
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.cancel.cancelled() => {
                    outcome.verdict = Verdict::Cancelled;
                    return Ok(outcome);
                }
            }
        }
    }

    fn may_pass_later(&self, case: usize, outcome: &Outcome) -> bool {
        self.judgement(case, outcome).standing == Standing::Infrastructure
            && outcome.failure.as_ref().is_some_and(|failure| failure.retry == Retry::Later)
    }

    fn judgement(&self, case: usize, outcome: &Outcome) -> Judgement {
        let case = &self.cases[case];
        judge::judge(&case.expect, outcome, &json::rows(&case.definitions().findings))
    }

    fn judged(
        &self,
        case: usize,
        shared_with: Option<usize>,
        outcome: &Outcome,
    ) -> std::io::Result<()> {
        let judgement = self.judgement(case, outcome);
        self.board.judged(case, &judgement, outcome);
        let bad = judgement.standing == Standing::NotAsExpected;
        self.recorder.borrow_mut().judged(case, shared_with, Some(outcome), judgement)?;
        if bad && self.tries.fail_fast {
            self.cancel.cancel();
        }
        Ok(())
    }
}

/// A run that ends in time, or is ended.
async fn limited(
    run: impl Future<Output = Outcome>,
    limit: Option<Duration>,
    stop: &CancellationToken,
) -> Outcome {
    let Some(limit) = limit else { return run.await };
    tokio::pin!(run);
    tokio::select! {
        outcome = &mut run => outcome,
        () = tokio::time::sleep(limit) => {
            stop.cancel();
            let mut outcome = run.await;
            if outcome.verdict == Verdict::Cancelled {
                outcome.verdict = Verdict::Failed;
                outcome.failure = outcome.failure.map(|failure| {
                    triage::classify(&Observed {
                        phase: failure.phase,
                        error: EngineError::TimedOut { limit_s: limit.as_secs(), silent: false },
                        step: None,
                    })
                });
            }
            outcome
        }
    }
}

/// The outcome of a run whose base another run has tried to pull in vain.
fn without_base(request: &CheckRequest, failure: Failure) -> Outcome {
    let source = request.plan.base.place().map(runner::source_place);
    let mut outcome = runner::fold(&[runner::Event::Failed {
        failure: Failure { source: source.or(failure.source.clone()), ..failure },
    }]);
    outcome.plan_digest.clone_from(&request.plan.digest);
    outcome.not_proven.clone_from(&request.plan.not_proven);
    outcome
}

/// How long to wait before another try: what the failure names, within reason.
fn wait(failure: Option<&Failure>, attempt: u32) -> Duration {
    let named = failure.and_then(|failure| failure.retry_after_s).map(Duration::from_secs);
    let doubled = WAIT.saturating_mul(1_u32.checked_shl(attempt - 1).unwrap_or(u32::MAX));
    named.unwrap_or(doubled).min(LONGEST_WAIT)
}
