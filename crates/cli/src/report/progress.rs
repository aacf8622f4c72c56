//! What is happening now, on a terminal, below the lines that stay. The only file that names indicatif.

use std::io;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use runner::{Event, Reporter, StepState};

use super::lines::Lines;
use super::{name_of, text};

/// One line that changes, below the lines that stay.
pub(crate) struct LiveLine(ProgressBar);

impl LiveLine {
    /// Begins.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("  {spinner}  {elapsed:>4}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    /// Writes a line that stays.
    pub(crate) fn say(&self, line: &str) {
        self.0.suspend(|| super::note(&format!("{line}\n")));
    }

    /// Changes the line.
    pub(crate) fn show(&self, now: String) {
        self.0.set_message(now);
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// [`Lines`] with a live line below them.
pub(crate) struct Progress {
    lines: Lines,
    live: LiveLine,
}

impl Progress {
    /// Wraps `lines`.
    pub(crate) fn new(lines: Lines) -> Self {
        Self { lines, live: LiveLine::new() }
    }

    /// Takes the live line away and gives the lines back.
    pub(crate) fn finish(self) -> Lines {
        self.live.clear();
        self.lines
    }
}

impl Reporter for Progress {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if let Some(line) = self.lines.line(event) {
            self.live.say(&line);
        }
        if let Some(now) = now(event) {
            if !matches!(event, Event::StepOutput { .. } | Event::SmokeOutput { .. }) {
                self.live.0.reset_elapsed();
            }
            self.live.show(now);
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
