//! What is known about every step of a running build, and the events that follow from it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use triage::{EngineError, FailedStep, Phase};

use super::{Captured, Lossy, Steps};
use crate::engine::Builder;
use crate::{Event, StepId, StepState, Stream};

/// The steps of a build while it runs. Told the same thing twice, it says it once.
pub(crate) struct Tracker {
    steps: Steps,
    builder: Builder,
    seen: BTreeMap<StepId, Seen>,
    phases: BTreeMap<Phase, PhaseClock>,
    events: Vec<Event>,
}

#[derive(Default)]
struct Seen {
    began: Option<Instant>,
    state: Option<StepState>,
    output: Captured,
    stdout: Lossy,
    stderr: Lossy,
}

#[derive(Default)]
struct PhaseClock {
    /// Steps of the phase that the builder will report.
    expected: usize,
    ended: usize,
    spent_ms: u64,
    all_cached: bool,
    told: Told,
}

#[derive(Default, PartialEq, Eq)]
enum Told {
    #[default]
    Nothing,
    Started,
    Finished,
}

impl Tracker {
    pub(crate) fn new(steps: Steps, builder: Builder) -> Self {
        let mut phases: BTreeMap<Phase, PhaseClock> = BTreeMap::new();
        let reported = |counted: bool| counted || builder == Builder::Classic;
        for step in steps.iter().filter(|step| step.timed && reported(step.counted)) {
            let clock = phases.entry(step.phase).or_default();
            clock.expected += 1;
            clock.all_cached = true;
        }
        Self { steps, builder, seen: BTreeMap::new(), phases, events: Vec::new() }
    }

    /// The events since the last call.
    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// A step began.
    pub(crate) fn began(&mut self, id: StepId, now: Instant) {
        let seen = self.seen.entry(id).or_default();
        if seen.state.is_none() {
            seen.began = Some(now);
            self.update(id, StepState::Running);
        }
    }

    /// A step ended well. Without a duration of the builder's, ours counts.
    pub(crate) fn done(&mut self, id: StepId, took_ms: Option<u64>, cached: bool, now: Instant) {
        let duration_ms = took_ms.unwrap_or_else(|| self.since(id, now));
        self.ended(id, StepState::Done { duration_ms, cached });
    }

    /// A step failed.
    pub(crate) fn failed(&mut self, id: StepId, took_ms: Option<u64>, now: Instant) {
        let duration_ms = took_ms.unwrap_or_else(|| self.since(id, now));
        self.ended(id, StepState::Failed { duration_ms });
    }

    /// Bytes of a step's output.
    pub(crate) fn output(&mut self, id: StepId, stream: Stream, bytes: &[u8]) {
        let seen = self.seen.entry(id).or_default();
        let text = match stream {
            Stream::Stdout => seen.stdout.decode(bytes),
            Stream::Stderr => seen.stderr.decode(bytes),
        };
        if !text.is_empty() {
            seen.output.push(stream, &text);
            self.events.push(Event::StepOutput { step: id, stream, text });
        }
    }

    /// The build ended: what still runs has failed, or ended with it.
    pub(crate) fn end(&mut self, well: bool, now: Instant) {
        while let Some(id) = self.running() {
            if well { self.done(id, None, false, now) } else { self.failed(id, None, now) }
        }
        let phases: Vec<Phase> = self.phases.keys().copied().collect();
        phases.into_iter().for_each(|phase| self.finish(phase));
    }

    /// The limit that a running step has used up.
    pub(crate) fn over_limit(&self, now: Instant) -> Option<EngineError> {
        let id = self.running()?;
        let limit = self.steps.get(id)?.limit;
        let ran = now.duration_since(self.seen.get(&id)?.began?);
        (ran > limit).then_some(EngineError::TimedOut { limit_s: limit.as_secs(), silent: false })
    }

    /// The step that runs.
    pub(crate) fn running(&self) -> Option<StepId> {
        let running = |seen: &Seen| seen.state == Some(StepState::Running);
        self.seen.iter().find(|(_, seen)| running(seen)).map(|(id, _)| *id)
    }

    /// A step's phase.
    pub(crate) fn phase(&self, id: StepId) -> Phase {
        self.steps.get(id).map_or(Phase::PreBuild, |step| step.phase)
    }

    /// The step on a line of the Dockerfile as it was sent.
    pub(crate) fn at_line(&self, line: u32) -> Option<StepId> {
        match self.builder {
            Builder::Buildkit => self.steps.at_line(line),
            Builder::Classic => self.steps.at_line_below_mark(line),
        }
    }

    /// What triage is told about a step.
    pub(crate) fn failed_step(&self, id: StepId) -> FailedStep {
        let output = self.seen.get(&id).map(|seen| seen.output.text()).unwrap_or_default();
        FailedStep { output, ..self.steps.failed(id) }
    }

    fn since(&self, id: StepId, now: Instant) -> u64 {
        let began = self.seen.get(&id).and_then(|seen| seen.began);
        let took = began.map_or(Duration::ZERO, |began| now.duration_since(began));
        u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
    }

    fn ended(&mut self, id: StepId, state: StepState) {
        let known = self.seen.entry(id).or_default().state;
        if matches!(known, Some(StepState::Done { .. } | StepState::Failed { .. })) {
            return;
        }
        let phase = self.phase(id);
        self.update(id, state);
        if !self.steps.get(id).is_some_and(|step| step.timed) {
            return;
        }
        let Some(clock) = self.phases.get_mut(&phase) else { return };
        clock.ended += 1;
        match state {
            StepState::Running => {}
            StepState::Done { duration_ms, cached } => {
                clock.spent_ms += duration_ms;
                clock.all_cached &= cached;
            }
            StepState::Failed { duration_ms } => {
                clock.spent_ms += duration_ms;
                clock.all_cached = false;
            }
        }
        if clock.ended >= clock.expected {
            self.finish(phase);
        }
    }

    fn update(&mut self, id: StepId, state: StepState) {
        let Some(step) = self.steps.get(id) else { return };
        let (phase, title) = (step.phase, step.title.clone());
        if let Some(clock) = self.phases.get_mut(&phase)
            && clock.told == Told::Nothing
        {
            clock.told = Told::Started;
            self.events.push(Event::PhaseStarted { phase });
        }
        self.seen.entry(id).or_default().state = Some(state);
        self.events.push(Event::StepUpdated { step: id, phase, title, state });
    }

    fn finish(&mut self, phase: Phase) {
        let Some(clock) = self.phases.get_mut(&phase) else { return };
        if clock.told == Told::Started {
            clock.told = Told::Finished;
            let (duration_ms, cached) = (clock.spent_ms, clock.all_cached);
            self.events.push(Event::PhaseFinished { phase, duration_ms, cached });
        }
    }
}
