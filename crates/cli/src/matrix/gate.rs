//! One gate for each base reference: the first run that needs it pulls it, the others wait and find it there.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use runner::{Outcome, PullPolicy, Verdict};
use tokio::sync::{Mutex, OwnedMutexGuard};
use triage::{Failure, Phase};

/// What is known of a base.
#[derive(Clone, Debug, Default)]
enum Base {
    /// Nothing yet.
    #[default]
    Unknown,
    /// The engine has it.
    Ready,
    /// It cannot be had.
    Failed(Box<Failure>),
}

/// All gates.
#[derive(Default)]
pub(super) struct Gates(RefCell<HashMap<String, Arc<Mutex<Base>>>>);

/// What a run finds at the gate.
pub(super) enum Entry {
    /// It goes first: it pulls as it was asked to, and holds the gate until the base is there.
    First(Pass),
    /// The base is there.
    Ready,
    /// The base could not be had, and asking again would only cost the registry's patience.
    Failed(Box<Failure>),
}

/// Holds a gate.
pub(super) struct Pass(Option<OwnedMutexGuard<Base>>);

impl Gates {
    /// Waits until nobody else is pulling this base.
    pub(super) async fn enter(&self, reference: &str) -> Entry {
        let gate = Arc::clone(self.0.borrow_mut().entry(reference.to_owned()).or_default());
        let guard = gate.lock_owned().await;
        match &*guard {
            Base::Unknown => Entry::First(Pass(Some(guard))),
            Base::Ready => Entry::Ready,
            Base::Failed(failure) => Entry::Failed(failure.clone()),
        }
    }
}

impl Pass {
    /// A gate that nobody waits at.
    pub(super) const fn none() -> Self {
        Self(None)
    }

    /// Whether the base is known to be there.
    pub(super) const fn is_open(&self) -> bool {
        self.0.is_none()
    }

    /// The base is there: everybody may go on.
    pub(super) fn open(&mut self) {
        if let Some(mut guard) = self.0.take() {
            *guard = Base::Ready;
        }
    }

    /// The run is over. When it ended at the base, so would every other one.
    pub(super) fn close(mut self, outcome: &Outcome) {
        let Some(mut guard) = self.0.take() else { return };
        match &outcome.failure {
            None => *guard = Base::Ready,
            Some(_) if outcome.verdict == Verdict::Cancelled => {}
            Some(failure) if matches!(failure.phase, Phase::ImageRef | Phase::Pull) => {
                *guard = Base::Failed(Box::new(failure.clone()));
            }
            // Whatever failed later found the base there; what failed earlier did not ask for it.
            Some(failure) if failure.phase > Phase::Pull => *guard = Base::Ready,
            Some(_) => {}
        }
    }
}

/// How a run pulls behind an open gate: the base is there, and need not be asked for again.
pub(super) const fn behind_the_first(asked: PullPolicy) -> PullPolicy {
    match asked {
        PullPolicy::Always | PullPolicy::Missing => PullPolicy::Missing,
        PullPolicy::Never => PullPolicy::Never,
    }
}
