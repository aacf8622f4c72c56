//! Passes events on, and folds them on the way.

use std::time::Instant;

use tokio_util::sync::CancellationToken;
use triage::Phase;

use crate::{Event, Fold, Outcome, Reporter};

/// The reporter of a run, and what its events add up to.
pub(crate) struct Teller<'a> {
    reporter: &'a mut dyn Reporter,
    fold: Fold,
    stop: CancellationToken,
}

impl<'a> Teller<'a> {
    /// `stop` is cancelled when the reporter cannot take more.
    pub(crate) fn new(reporter: &'a mut dyn Reporter, stop: CancellationToken) -> Self {
        Self { reporter, fold: Fold::default(), stop }
    }

    /// Tells one event.
    pub(crate) fn tell(&mut self, event: &Event) {
        self.fold.event(event);
        if self.reporter.event(event).is_err() {
            self.stop.cancel();
        }
    }

    /// A phase begins.
    pub(crate) fn begin(&mut self, phase: Phase) -> Instant {
        self.tell(&Event::PhaseStarted { phase });
        Instant::now()
    }

    /// A phase ends.
    pub(crate) fn finish(&mut self, phase: Phase, began: Instant, cached: bool) {
        let duration_ms = milliseconds(began);
        self.tell(&Event::PhaseFinished { phase, duration_ms, cached });
    }

    /// What it adds up to.
    pub(crate) fn outcome(&self) -> Outcome {
        self.fold.outcome()
    }
}

/// Milliseconds since then.
pub(crate) fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
