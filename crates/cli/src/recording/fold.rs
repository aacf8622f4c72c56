//! Records to what they come to, one record at a time.

use runner::{Event, StepState};
use triage::Phase;

use super::{Case, Record, Recorded, Span, SpanKey, SpanState};

/// The longest output of all cases together that is kept is bounded per span; this bounds the spans.
const SPANS: usize = 4_000;

/// What has been read so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fold(Recorded);

impl Fold {
    /// Takes one record. Records about a case that was never announced are dropped.
    pub(crate) fn record(&mut self, record: Record) {
        let Self(recorded) = self;
        match record {
            Record::Started(start) => recorded.start = start,
            Record::File { path, text } => {
                recorded.files.insert(path, text);
            }
            Record::Case { about, .. } => {
                recorded.cases.push(Case { about: *about, ..Case::default() });
            }
            Record::Attempt { case, at_ms, number } => {
                if let Some(case) = recorded.cases.get_mut(case) {
                    case.attempts = number;
                    (case.from_ms, case.to_ms) = (at_ms, at_ms);
                    case.spans.clear();
                }
            }
            Record::Event { case, at_ms, event } => {
                recorded.took_ms = recorded.took_ms.max(at_ms);
                if let Some(case) = recorded.cases.get_mut(case) {
                    case.to_ms = case.to_ms.max(at_ms);
                    event_of(case, at_ms, *event);
                }
            }
            Record::Judged { case, at_ms, shared_with, outcome, judgement } => {
                recorded.took_ms = recorded.took_ms.max(at_ms);
                if let Some(case) = recorded.cases.get_mut(case) {
                    case.shared_with = shared_with;
                    case.outcome = outcome.map(|outcome| *outcome);
                    // Judged again, so that an expectation may be corrected in a recording.
                    case.judgement = case.judged_again().unwrap_or(judgement);
                }
            }
            Record::Finished { at_ms, exit } => {
                recorded.took_ms = at_ms;
                recorded.exit = Some(exit);
            }
        }
    }

    /// What the records come to.
    pub(crate) fn into_recorded(self) -> Recorded {
        self.0
    }

    /// What the records come to so far.
    pub(crate) const fn recorded(&self) -> &Recorded {
        &self.0
    }
}

fn event_of(case: &mut Case, at_ms: u64, event: Event) {
    match event {
        Event::RunStarted { engine, builder, .. } => {
            (case.engine, case.builder) = (Some(engine), Some(builder));
        }
        Event::PhaseStarted { phase } => {
            span(case, SpanKey::Phase(phase), phase, String::new(), at_ms);
        }
        Event::PhaseFinished { phase, duration_ms, cached } => {
            let span = span(case, SpanKey::Phase(phase), phase, String::new(), at_ms);
            end(span, at_ms, duration_ms, SpanState::Done { cached });
        }
        Event::StepUpdated { step, phase, title, state } => {
            let span = span(case, SpanKey::Step(step.0), phase, title, at_ms);
            match state {
                StepState::Running => {}
                StepState::Done { duration_ms, cached } => {
                    end(span, at_ms, duration_ms, SpanState::Done { cached });
                }
                StepState::Failed { duration_ms } => {
                    end(span, at_ms, duration_ms, SpanState::Failed);
                }
            }
        }
        Event::StepOutput { step, text, .. } => {
            let key = SpanKey::Step(step.0);
            if let Some(span) = case.spans.iter_mut().find(|span| span.key == key) {
                span.output.push(&text);
            }
        }
        Event::SmokeStarted { name } => {
            let key = SpanKey::Smoke(name.clone());
            span(case, key, Phase::Smoke, name, at_ms);
        }
        Event::SmokeOutput { name, text, .. } => {
            let key = SpanKey::Smoke(name);
            if let Some(span) = case.spans.iter_mut().find(|span| span.key == key) {
                span.output.push(&text);
            }
        }
        Event::SmokeFinished { name, exit, duration_ms } => {
            let key = SpanKey::Smoke(name.clone());
            let span = span(case, key, Phase::Smoke, name, at_ms);
            let state =
                if exit == 0 { SpanState::Done { cached: false } } else { SpanState::Failed };
            end(span, at_ms, duration_ms, state);
        }
        Event::Failed { failure } => {
            let key = SpanKey::Phase(failure.phase);
            if let Some(span) = case.spans.iter_mut().find(|span| span.key == key) {
                span.to_ms = span.to_ms.max(at_ms);
                span.state = SpanState::Failed;
            }
        }
        Event::RunFinished { outcome } => case.outcome = Some(outcome),
        Event::PullProgressed { .. }
        | Event::ContextProgressed { .. }
        | Event::ImageKept { .. }
        | Event::LeftUnproven { .. }
        | Event::CleanedUp { .. } => {}
    }
}

/// The span of this key; a new one begins now.
fn span(case: &mut Case, key: SpanKey, phase: Phase, title: String, at_ms: u64) -> &mut Span {
    let known = case.spans.iter().position(|span| span.key == key);
    let index = known.unwrap_or_else(|| {
        let place = match (&key, &case.about.plan) {
            (SpanKey::Step(step), Some(plan)) => {
                plan.instructions.get(*step).and_then(|instruction| instruction.place.clone())
            }
            _ => None,
        };
        // Beyond the bound the last span takes what follows: no plan comes near it.
        if case.spans.len() < SPANS {
            let (state, output) = (SpanState::Running, super::Output::default());
            let (from_ms, to_ms) = (at_ms, at_ms);
            case.spans.push(Span { key, phase, title, from_ms, to_ms, state, place, output });
        }
        case.spans.len() - 1
    });
    &mut case.spans[index]
}

/// Ends a span. Builders repeat themselves: a failure stands whatever follows it.
fn end(span: &mut Span, at_ms: u64, duration_ms: u64, state: SpanState) {
    if span.state == SpanState::Failed {
        return;
    }
    span.state = state;
    span.to_ms = at_ms;
    span.from_ms = at_ms.saturating_sub(duration_ms);
}
