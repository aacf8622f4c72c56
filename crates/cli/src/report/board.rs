//! A matrix while it runs: a line for each case that ended, and below them what is under way.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use runner::{Event, Outcome};
use triage::Phase;

use super::progress::LiveLine;
use super::{name_of, note, style, text};
use crate::judge::{Judgement, Standing};

/// How wide a case's name may be.
const NAME: usize = 60;

/// The board.
pub(crate) struct Board {
    names: Vec<String>,
    live: Option<LiveLine>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    ended: usize,
    running: BTreeMap<usize, Running>,
}

struct Running {
    since: Instant,
    phase: Option<Phase>,
}

impl Board {
    /// For cases of these names; a live line only on a terminal.
    pub(crate) fn new(names: Vec<String>) -> Self {
        let live = std::io::stderr().is_terminal().then(LiveLine::new);
        Self { names, live, state: RefCell::default() }
    }

    /// A try of a case began.
    pub(crate) fn started(&self, case: usize) {
        let running = Running { since: Instant::now(), phase: None };
        self.state.borrow_mut().running.insert(case, running);
        self.refresh();
    }

    /// Something happened in a case.
    pub(crate) fn event(&self, case: usize, event: &Event) {
        let Event::PhaseStarted { phase } = event else { return };
        if let Some(running) = self.state.borrow_mut().running.get_mut(&case) {
            running.phase = Some(*phase);
        }
        self.refresh();
    }

    /// A case waits before it is tried again.
    pub(crate) fn waits(&self, case: usize, wait: Duration) {
        let name = text::first_line(&self.names[case], NAME);
        let warning = style::WARNING;
        let seconds = wait.as_secs();
        self.say(&format!(
            "  {warning}↻{warning:#}  {name}  infrastructure failed; again in {seconds} s"
        ));
    }

    /// A case has its verdict.
    pub(crate) fn judged(&self, case: usize, judgement: &Judgement, outcome: &Outcome) {
        let began = {
            let mut state = self.state.borrow_mut();
            state.ended += 1;
            state.running.remove(&case)
        };
        let style = match judgement.standing {
            Standing::AsExpected => style::GOOD,
            Standing::NotAsExpected => style::ERROR,
            Standing::Infrastructure => style::WARNING,
            Standing::NotRun => style::FAINT,
        };
        let faint = style::FAINT;
        let took = began.map_or_else(
            || "no run of its own".to_owned(),
            |running| {
                let ms = running.since.elapsed().as_millis();
                text::time(u64::try_from(ms).unwrap_or(u64::MAX))
            },
        );
        let mut line = format!(
            "  {style}{}{style:#}  {}  {faint}{}  {took}{faint:#}",
            judgement.standing.sign(),
            text::first_line(&self.names[case], NAME),
            text::plain(&judgement.why)
        );
        if judgement.standing != Standing::AsExpected
            && let Some(failure) = &outcome.failure
        {
            if !failure.summary.is_empty() {
                line.push_str(&format!("\n       {}", text::plain(&failure.summary)));
            }
            if let Some(place) = &failure.source {
                let file = text::plain(&place.file);
                line.push_str(&format!("\n       {file}:{}:{}", place.line, place.column));
            }
        }
        self.say(&line);
        self.refresh();
    }

    /// Nothing more will happen.
    pub(crate) fn finish(&self) {
        if let Some(live) = &self.live {
            live.clear();
        }
    }

    fn say(&self, line: &str) {
        match &self.live {
            Some(live) => live.say(line),
            None => note(&format!("{line}\n")),
        }
    }

    fn refresh(&self) {
        let Some(live) = &self.live else { return };
        let state = self.state.borrow();
        let running: Vec<String> = state
            .running
            .iter()
            .map(|(case, running)| {
                let phase =
                    running.phase.as_ref().map_or(String::new(), |p| format!(" ({})", name_of(p)));
                format!("{}{phase}", text::first_line(&self.names[*case], 40))
            })
            .collect();
        live.show(format!("{} of {}  {}", state.ended, self.names.len(), running.join(", ")));
    }
}
