//! A run on a terminal: the lines, and below them what is happening now. The only file that names indicatif.

use std::io;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use runner::{Event, Reporter, StepState};

use super::lines::Lines;
use super::{name_of, text};

/// [`Lines`] with a live line below them.
pub(crate) struct Progress {
    lines: Lines,
    now: ProgressBar,
}

impl Progress {
    /// Wraps `lines`.
    pub(crate) fn new(lines: Lines) -> Self {
        let now = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("  {spinner}  {elapsed:>4}  {wide_msg}") {
            now.set_style(style);
        }
        now.enable_steady_tick(Duration::from_millis(120));
        Self { lines, now }
    }

    /// Takes the live line away and gives the lines back.
    pub(crate) fn finish(self) -> Lines {
        self.now.finish_and_clear();
        self.lines
    }
}

impl Reporter for Progress {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if let Some(line) = self.lines.line(event) {
            self.now.suspend(|| super::note(&format!("{line}\n")));
        }
        if let Some(now) = now(event) {
            if !matches!(event, Event::StepOutput { .. } | Event::SmokeOutput { .. }) {
                self.now.reset_elapsed();
            }
            self.now.set_message(now);
        }
        Ok(())
    }
}

/// What is happening, in one line.
fn now(event: &Event) -> Option<String> {
    match event {
        Event::PhaseStarted { phase } => Some(name_of(phase)),
        Event::PullProgressed { current, total } => Some(match total {
            Some(total) => format!("pull  {} of {}", text::size(*current), text::size(*total)),
            None => format!("pull  {}", text::size(*current)),
        }),
        Event::ContextProgressed { sent } => Some(format!("context  {} sent", text::size(*sent))),
        Event::StepUpdated { phase, title, state: StepState::Running, .. } => {
            Some(format!("{}  {}", name_of(phase), text::first_line(title, 100)))
        }
        Event::StepOutput { text, .. } | Event::SmokeOutput { text, .. } => {
            let line = text.lines().rfind(|line| !line.trim().is_empty())?;
            Some(text::first_line(line, 160))
        }
        Event::SmokeStarted { name } => Some(format!("smoke  {}", text::first_line(name, 100))),
        _ => None,
    }
}
