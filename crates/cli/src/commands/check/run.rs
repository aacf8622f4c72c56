//! Tries plan after plan, and tells and records what happens.

use runner::{CheckRequest, ContextRequest, Engine, Outcome, SmokeCommand, Verdict};
use tokio_util::sync::CancellationToken;

use super::base::Reading;
use super::{Settings, record};
use crate::definitions::Shared;
use crate::fault::Fault;
use crate::interrupt;
use crate::recording::{Recorder, Tee, broken};
use crate::report::json::{JsonLines, Tried};
use crate::report::lines::Lines;
use crate::report::progress::Progress;
use crate::report::{note, style, text, verdict};
use crate::repository::Repository;

/// What every plan is tried with.
pub(super) struct Trial<'a> {
    pub(super) repository: &'a Repository,
    pub(super) commit: &'a str,
    pub(super) smoke: Vec<SmokeCommand>,
    pub(super) settings: &'a Settings,
}

impl Trial<'_> {
    /// Tries every plan, in order. A stop ends it after the plan that is under way.
    pub(super) async fn all(
        &self,
        engine: &Engine,
        plans: &[Shared],
        recorder: &mut Recorder,
    ) -> Result<Vec<Tried>, Fault> {
        let cancel = CancellationToken::new();
        let listener = tokio::spawn(interrupt::listen(cancel.clone()));
        let mut tried = Vec::new();
        for (case, shared) in plans.iter().enumerate() {
            recorder.attempt(case, 1).map_err(|error| broken(&error))?;
            let request = self.request(shared);
            let reading = self.read(engine, &request).await;
            let refused = reading.as_ref().and_then(|reading| reading.refusal(&request));
            let outcome = match refused {
                Some(outcome) => self.tell_refusal(&request, outcome),
                None => {
                    let told = Told { recorder, case, json: self.settings.json };
                    told.one(engine, &request, &cancel).await
                }
            };
            let disagreement = reading.and_then(|reading| reading.disagreement(&outcome));
            if let Some(words) = &disagreement {
                note(&format!("{}\n", text::plain(words)));
            }
            record::outcome(recorder, case, &outcome)?;
            let stopped = outcome.verdict == Verdict::Cancelled;
            let authored = shared.plan.base.reference.clone();
            let base = self.settings.base.clone();
            tried.push(Tried {
                environment: shared.plan.environment.clone(),
                agents: shared.agents.clone(),
                authored_base: base.is_some().then(|| authored.clone()),
                base: base.unwrap_or(authored),
                disagreement,
                outcome,
            });
            if stopped {
                break;
            }
        }
        listener.abort();
        Ok(tried)
    }

    /// Reads the base of a plan that the contract holds for, unless nobody wants that.
    async fn read(&self, engine: &Engine, request: &CheckRequest) -> Option<Reading> {
        if self.settings.no_static || !request.plan.base.probed {
            return None;
        }
        let base = request.base.as_deref().unwrap_or(&request.plan.base.reference);
        Reading::of(base, engine, request.pull).await
    }

    /// Tells an outcome that needed no run.
    fn tell_refusal(&self, request: &CheckRequest, outcome: Outcome) -> Outcome {
        if !self.settings.json {
            let (strong, plan) = (style::STRONG, &request.plan);
            note(&format!(
                "{strong}{}{strong:#} on {} (read, nothing was built)\n",
                text::plain(&plan.environment),
                text::plain(request.base.as_deref().unwrap_or(&plan.base.reference)),
            ));
            verdict::print(&outcome, &[]);
        }
        outcome
    }

    fn request(&self, shared: &Shared) -> CheckRequest {
        let context = ContextRequest {
            repository: self.repository.root().to_owned(),
            commit: self.commit.to_owned(),
        };
        CheckRequest {
            plan: shared.plan.clone(),
            context: shared.plan.checkout.is_some().then_some(context),
            base: self.settings.base.clone(),
            pull: self.settings.pull,
            timeouts: self.settings.timeouts,
            smoke: self.smoke.clone(),
            keep: self.settings.keep,
        }
    }
}

/// How one plan is told.
struct Told<'a> {
    recorder: &'a mut Recorder,
    case: usize,
    json: bool,
}

impl Told<'_> {
    /// One plan, told in the way that was asked for.
    async fn one(
        self,
        engine: &Engine,
        request: &CheckRequest,
        cancel: &CancellationToken,
    ) -> runner::Outcome {
        let Self { recorder, case, json } = self;
        if json {
            let mut tee = Tee { recorder, case, other: &mut JsonLines };
            return runner::check(engine, request, &mut tee, cancel).await;
        }
        let mut lines = Lines::new(&request.plan);
        let outcome = if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
            let mut progress = Progress::new(lines);
            let mut tee = Tee { recorder, case, other: &mut progress };
            let outcome = runner::check(engine, request, &mut tee, cancel).await;
            lines = progress.finish();
            outcome
        } else {
            let mut tee = Tee { recorder, case, other: &mut lines };
            runner::check(engine, request, &mut tee, cancel).await
        };
        verdict::print(&outcome, &lines.last_words());
        outcome
    }
}
