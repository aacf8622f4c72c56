//! A run's events to its outcome. Pure; the same events twice give the same outcome.

use triage::{Code, Failure, Owner};

use crate::{Event, Level, Outcome, PhaseTime, Verdict};

/// The outcome of a run that told these events.
#[must_use]
pub fn fold(events: &[Event]) -> Outcome {
    let mut fold = Fold::default();
    for event in events {
        fold.event(event);
    }
    fold.outcome()
}

/// The fold, one event at a time: holds what the outcome needs and no output.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    plan_digest: String,
    not_proven: Vec<planner::NotProven>,
    phases: Vec<PhaseTime>,
    failure: Option<Failure>,
    image: Option<String>,
    executed: bool,
}

impl Fold {
    /// Takes one event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { plan_digest, not_proven, .. } => {
                self.plan_digest.clone_from(plan_digest);
                self.not_proven.clone_from(not_proven);
            }
            Event::PhaseFinished { phase, duration_ms, cached } => {
                let time = PhaseTime { phase: *phase, duration_ms: *duration_ms, cached: *cached };
                match self.phases.iter_mut().find(|known| known.phase == *phase) {
                    Some(known) => *known = time,
                    None => self.phases.push(time),
                }
            }
            Event::StepUpdated { .. } | Event::SmokeStarted { .. } => self.executed = true,
            // The first failure decides; what follows it is its consequence.
            Event::Failed { failure } if self.failure.is_none() => {
                self.failure = Some(failure.clone());
            }
            Event::ImageKept { name } => self.image = Some(name.clone()),
            Event::LeftUnproven { what } if !self.not_proven.contains(what) => {
                self.not_proven.push(what.clone());
            }
            Event::Failed { .. }
            | Event::LeftUnproven { .. }
            | Event::PhaseStarted { .. }
            | Event::PullProgressed { .. }
            | Event::ContextProgressed { .. }
            | Event::StepOutput { .. }
            | Event::SmokeOutput { .. }
            | Event::SmokeFinished { .. }
            | Event::CleanedUp { .. }
            | Event::RunFinished { .. } => {}
        }
    }

    /// The outcome so far.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        // Builders may end phases out of order; the order of the way is the enum's.
        let mut phases = self.phases.clone();
        phases.sort_by_key(|time| time.phase);
        Outcome {
            schema: "outcome/1".to_owned(),
            verdict: verdict(self.failure.as_ref()),
            level: if self.executed { Level::Executed } else { Level::Predicted },
            failure: self.failure.clone(),
            phases,
            image: self.image.clone(),
            plan_digest: self.plan_digest.clone(),
            not_proven: self.not_proven.clone(),
        }
    }
}

fn verdict(failure: Option<&Failure>) -> Verdict {
    let Some(failure) = failure else { return Verdict::Passed };
    if failure.code == Code::Canceled {
        return Verdict::Cancelled;
    }
    match failure.owner {
        Owner::Author | Owner::BaseImage => Verdict::Failed,
        Owner::Infrastructure | Owner::Tool => Verdict::Inconclusive,
    }
}
