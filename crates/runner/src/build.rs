//! A build from request to image id: what the builder says becomes events, and what stops it a
//! typed observation.

mod buildkit;
mod captured;
mod classic;
mod dockerfile;
mod refusal;
mod steps;
mod tracker;

pub(crate) use captured::{Captured, Lossy};
pub(crate) use dockerfile::{CACHE_LABEL, dockerfile};
pub(crate) use steps::Steps;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tokio_util::sync::CancellationToken;
use triage::{EngineError, Observed, Phase};

use crate::context::{Archive, Sending};
use crate::engine::{BuildRequest, BuildUpdate, Builder, Port};
use crate::teller::Teller;
use crate::{Event, StepId, Timeouts};
use tracker::Tracker;

/// How often limits are looked at and progress is told.
const TICK: Duration = Duration::from_millis(250);

/// What a build needs beside its context.
pub(crate) struct Order<'a> {
    pub(crate) steps: Steps,
    pub(crate) arguments: BTreeMap<String, String>,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) timeouts: &'a Timeouts,
}

/// What reads a builder's words.
enum Reader {
    Buildkit(buildkit::Reader),
    Classic(classic::Reader),
}

impl Reader {
    fn update(&mut self, update: BuildUpdate, tracker: &mut Tracker, now: Instant) {
        match self {
            Self::Buildkit(reader) => reader.update(update, tracker, now),
            Self::Classic(reader) => reader.update(update, tracker, now),
        }
    }

    /// Where and why the builder says that it failed, as far as its updates tell.
    fn refusal(&self, tracker: &Tracker) -> refusal::Refusal {
        match self {
            Self::Buildkit(reader) => reader.refusal(),
            Self::Classic(reader) => reader.refusal(tracker),
        }
    }
}

/// Builds. Dropping the engine's stream ends the build, so every early return does.
pub(crate) async fn build<P: Port>(
    port: &P,
    order: Order<'_>,
    context: Archive,
    teller: &mut Teller<'_>,
    cancel: &CancellationToken,
) -> Result<String, Observed> {
    let Order { steps, arguments, labels, timeouts } = order;
    let mut reader = match port.builder() {
        Builder::Buildkit => Reader::Buildkit(buildkit::Reader::new(&steps)),
        Builder::Classic => Reader::Classic(classic::Reader::new(&steps)),
    };
    let mut tracker = Tracker::new(steps, port.builder());
    let (body, mut sending) = context.send();
    let mut updates = port.build(BuildRequest { arguments, labels }, body);
    let mut watch = Watch::new(timeouts.silence);
    let mut tick = tokio::time::interval(TICK);
    let mut image = None;
    let ended = loop {
        let update = tokio::select! {
            biased;
            () = cancel.cancelled() => break Some(EngineError::Cancelled),
            update = updates.next() => update,
            _ = tick.tick() => {
                if let Some(sent) = watch.progress(&sending) {
                    teller.tell(&Event::ContextProgressed { sent });
                }
                match tracker.over_limit(Instant::now()).or_else(|| watch.silent()) {
                    Some(limit) => break Some(limit),
                    None => continue,
                }
            }
        };
        watch.heard();
        match update {
            None => break None,
            Some(Err(error)) => break Some(error),
            Some(Ok(BuildUpdate::Image { id })) => image = Some(id),
            Some(Ok(update)) => reader.update(update, &mut tracker, Instant::now()),
        }
        tracker.take_events().into_iter().for_each(|event| teller.tell(&event));
    };
    drop(updates);
    let result = match (ended, image) {
        (None, Some(image)) => Ok(image),
        (None, None) => Err(EngineError::EngineGone {
            message: "the build's answer ended without an image".to_owned(),
        }),
        (Some(error), _) => Err(error),
    };
    let running = tracker.running();
    tracker.end(result.is_ok(), Instant::now());
    tracker.take_events().into_iter().for_each(|event| teller.tell(&event));
    match result {
        Ok(image) => Ok(image),
        Err(error) => Err(observe(error, running, &reader, &tracker, &mut sending).await),
    }
}

/// Puts a name to what ended a build.
async fn observe(
    error: EngineError,
    running: Option<StepId>,
    reader: &Reader,
    tracker: &Tracker,
    sending: &mut Sending,
) -> Observed {
    // What the engine says about a context that git cut short is a riddle; git's words are not.
    let fault = tokio::time::timeout(Duration::from_secs(2), sending.fault()).await;
    if let Ok(Some(fault)) = fault {
        let message = fault.in_one_line();
        return Observed {
            phase: Phase::PreBuild,
            error: EngineError::Context { message },
            step: None,
        };
    }
    match error {
        EngineError::Stream { message } | EngineError::Status { message, status: 400..=499 } => {
            reader.refusal(tracker).observed(message, tracker)
        }
        other => Observed {
            phase: running.map_or(Phase::PreBuild, |step| tracker.phase(step)),
            step: running.map(|step| tracker.failed_step(step)),
            error: other,
        },
    }
}

/// The watchdog on silence, and how far the context has come.
struct Watch {
    silence: Duration,
    heard: Instant,
    sent: u64,
}

impl Watch {
    fn new(silence: Duration) -> Self {
        Self { silence, heard: Instant::now(), sent: 0 }
    }

    fn heard(&mut self) {
        self.heard = Instant::now();
    }

    /// New bytes of the context are a sign of life, too.
    fn progress(&mut self, sending: &Sending) -> Option<u64> {
        let sent = sending.sent();
        if sent == self.sent {
            return None;
        }
        self.sent = sent;
        self.heard();
        Some(sent)
    }

    fn silent(&self) -> Option<EngineError> {
        (self.heard.elapsed() > self.silence)
            .then_some(EngineError::TimedOut { limit_s: self.silence.as_secs(), silent: true })
    }
}
