//! A run in plain lines: one for each phase, each authored step, each smoke command.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use planner::Plan;
use runner::{Event, Reporter, StepId, StepState};
use triage::Phase;

use crate::recording::Output;

use super::{name_of, note, style, text};

/// How many of a failing step's last lines are shown.
const TAIL: usize = 12;

/// How wide the title of a step may be.
const TITLE: usize = 60;

/// Turns events into lines. Keeps what the verdict needs: the last lines of the step that failed.
pub(crate) struct Lines {
    /// `file:line` of each instruction.
    places: Vec<Option<String>>,
    finished: BTreeSet<StepId>,
    /// Phases in which a step failed: they end, but not well.
    broken: BTreeSet<Phase>,
    outputs: BTreeMap<Speaker, Output>,
    failed: Option<Speaker>,
    /// A phase that ended, until the next event says whether well.
    ended: Option<(Phase, String)>,
}

/// Whose output a line is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Speaker {
    Step(StepId),
    Smoke(String),
}

impl Lines {
    /// For a run of this plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let place = |instruction: &planner::Instruction| {
            instruction.place.as_ref().map(|place| format!("{}:{}", place.file, place.line))
        };
        Self {
            places: plan.instructions.iter().map(place).collect(),
            finished: BTreeSet::new(),
            broken: BTreeSet::new(),
            outputs: BTreeMap::new(),
            failed: None,
            ended: None,
        }
    }

    /// What to print for an event, if anything.
    pub(crate) fn line(&mut self, event: &Event) -> Option<String> {
        let failing = match event {
            Event::Failed { failure } => Some(failure.phase),
            _ => None,
        };
        let ended = self.ended.take().filter(|(phase, _)| Some(*phase) != failing);
        let lines = [ended.map(|(_, line)| line), self.line_of(event)];
        lines.into_iter().flatten().reduce(|first, second| format!("{first}\n{second}"))
    }

    fn line_of(&mut self, event: &Event) -> Option<String> {
        match event {
            Event::RunStarted { environment, base, engine, builder, commit, .. } => {
                let strong = style::STRONG;
                let at =
                    commit.as_deref().map_or(String::new(), |c| format!(", commit {}", short(c)));
                Some(format!(
                    "{strong}{}{strong:#} on {} ({}, {builder}{at})",
                    text::plain(environment),
                    text::plain(base),
                    text::plain(engine)
                ))
            }
            Event::PhaseFinished { phase, duration_ms, cached } => {
                if !has_own_lines(*phase) && !self.broken.contains(phase) {
                    let line = done(&name_of(phase), "", &took(*duration_ms, *cached));
                    self.ended = Some((*phase, line));
                }
                None
            }
            Event::StepUpdated { step, phase, title, state } => {
                self.step(*step, *phase, title, *state)
            }
            Event::StepOutput { step, text, .. } => {
                self.outputs.entry(Speaker::Step(*step)).or_default().push(text);
                None
            }
            Event::SmokeOutput { name, text, .. } => {
                self.outputs.entry(Speaker::Smoke(name.clone())).or_default().push(text);
                None
            }
            Event::SmokeFinished { name, exit, duration_ms } => {
                let title = text::first_line(name, TITLE);
                if *exit == 0 {
                    return Some(done("smoke", &title, &took(*duration_ms, false)));
                }
                self.failed.get_or_insert(Speaker::Smoke(name.clone()));
                Some(failed("smoke", &title, &format!("exit {exit}, {}", text::time(*duration_ms))))
            }
            // What no step and no smoke command has told already: a pull, a context, a lost engine.
            Event::Failed { failure } if self.failed.is_none() => {
                let title = text::first_line(&failure.summary, TITLE);
                self.broken.insert(failure.phase);
                Some(failed(&name_of(&failure.phase), &title, ""))
            }
            Event::CleanedUp { left, .. } if !left.is_empty() => {
                let warning = style::WARNING;
                Some(format!(
                    "{warning}left behind{warning:#}: {} (`drydock clean`)",
                    text::plain(&left.join(", "))
                ))
            }
            Event::PhaseStarted { .. }
            | Event::PullProgressed { .. }
            | Event::ContextProgressed { .. }
            | Event::SmokeStarted { .. }
            | Event::Failed { .. }
            | Event::LeftUnproven { .. }
            | Event::ImageKept { .. }
            | Event::CleanedUp { .. }
            | Event::RunFinished { .. } => None,
        }
    }

    /// A step's line, once for each step: builders repeat themselves.
    fn step(
        &mut self,
        step: StepId,
        phase: Phase,
        title: &str,
        state: StepState,
    ) -> Option<String> {
        let shown = has_own_lines(phase);
        let mut name = text::first_line(title, TITLE);
        if let Some(Some(place)) = self.places.get(step.0) {
            let faint = style::FAINT;
            name = format!("{name}  {faint}{}{faint:#}", text::plain(place));
        }
        match state {
            StepState::Running => None,
            StepState::Done { .. } if !shown || !self.finished.insert(step) => None,
            StepState::Done { duration_ms, cached } => {
                Some(done(&name_of(&phase), &name, &took(duration_ms, cached)))
            }
            StepState::Failed { duration_ms } => {
                self.failed.get_or_insert(Speaker::Step(step));
                self.broken.insert(phase);
                let first = self.finished.insert(step);
                first.then(|| failed(&name_of(&phase), &name, &text::time(duration_ms)))
            }
        }
    }

    /// The last lines of what failed.
    pub(crate) fn last_words(&self) -> Vec<String> {
        let output = self.failed.as_ref().and_then(|speaker| self.outputs.get(speaker));
        let lines: Vec<String> = output.into_iter().flat_map(Output::lines).collect();
        lines[lines.len().saturating_sub(TAIL)..].to_vec()
    }
}

impl Reporter for Lines {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if let Some(line) = self.line(event) {
            note(&format!("{line}\n"));
        }
        Ok(())
    }
}

/// Phases whose steps each have a line of their own, so that the phase needs none.
const fn has_own_lines(phase: Phase) -> bool {
    matches!(phase, Phase::AuthoredStep | Phase::Setup | Phase::Smoke)
}

fn done(phase: &str, title: &str, took: &str) -> String {
    let good = style::GOOD;
    row(&format!("{good}ok{good:#}    {phase:<14}"), title, took)
}

fn failed(phase: &str, title: &str, took: &str) -> String {
    let bad = style::ERROR;
    row(&format!("{bad}fail{bad:#}  {phase:<14}"), title, took)
}

fn row(mark: &str, title: &str, took: &str) -> String {
    let faint = style::FAINT;
    match (title, took) {
        (title, "") => format!("  {mark}{title}"),
        ("", took) => format!("  {mark}{faint}{took}{faint:#}"),
        (title, took) => format!("  {mark}{title}  {faint}{took}{faint:#}"),
    }
}

fn took(ms: u64, cached: bool) -> String {
    if cached { "cached".to_owned() } else { text::time(ms) }
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use triage::{Code, Failure};

    use super::*;

    #[test]
    fn a_phase_that_failed_is_never_shown_as_well_ended() {
        let mut lines = Lines::new(&Plan::default());
        let ended = |phase| Event::PhaseFinished { phase, duration_ms: 7, cached: false };
        let failure = Failure::new(Code::RegistryDns, Phase::Pull, "no such host".to_owned());
        let said: Vec<String> =
            [ended(Phase::PreBuild), ended(Phase::Pull), Event::Failed { failure }]
                .iter()
                .filter_map(|event| lines.line(event))
                .map(|line| anstream::adapter::strip_str(&line).to_string())
                .collect();
        assert_eq!(said, ["  ok    pre-build     7 ms", "  fail  pull          no such host"]);
    }
}
