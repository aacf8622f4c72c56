//! Tries plan after plan, tells what happens, and listens for Ctrl-C.

use runner::{CheckRequest, ContextRequest, Engine, SmokeCommand, Verdict};
use tokio_util::sync::CancellationToken;

use super::Settings;
use crate::definitions::Shared;
use crate::exit::Status;
use crate::report::json::{JsonLines, Tried};
use crate::report::lines::Lines;
use crate::report::progress::Progress;
use crate::report::verdict;
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
    pub(super) async fn all(&self, engine: &Engine, plans: &[Shared]) -> Vec<Tried> {
        let cancel = CancellationToken::new();
        let listener = tokio::spawn(listen(cancel.clone()));
        let mut tried = Vec::new();
        for shared in plans {
            let outcome = one(engine, &self.request(shared), &cancel, self.settings.json).await;
            let stopped = outcome.verdict == Verdict::Cancelled;
            let authored = shared.plan.base.reference.clone();
            let base = self.settings.base.clone();
            tried.push(Tried {
                environment: shared.plan.environment.clone(),
                agents: shared.agents.clone(),
                authored_base: base.is_some().then(|| authored.clone()),
                base: base.unwrap_or(authored),
                outcome,
            });
            if stopped {
                break;
            }
        }
        listener.abort();
        tried
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

/// One plan, told in the way that was asked for.
async fn one(
    engine: &Engine,
    request: &CheckRequest,
    cancel: &CancellationToken,
    json: bool,
) -> runner::Outcome {
    if json {
        return runner::check(engine, request, &mut JsonLines, cancel).await;
    }
    let lines = Lines::new(&request.plan);
    let (outcome, lines) = if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        let mut progress = Progress::new(lines);
        let outcome = runner::check(engine, request, &mut progress, cancel).await;
        (outcome, progress.finish())
    } else {
        let mut lines = lines;
        (runner::check(engine, request, &mut lines, cancel).await, lines)
    };
    verdict::print(&outcome, &lines.last_words());
    outcome
}

/// The first Ctrl-C (or SIGTERM) asks the run to end and clean up; the second ends the program.
async fn listen(cancel: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    loop {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        if cancel.is_cancelled() {
            crate::exit_now(Status::Cancelled);
        }
        crate::report::note(
            "stopping and cleaning up; once more to leave at once (then `drydock clean`)\n",
        );
        cancel.cancel();
    }
}
