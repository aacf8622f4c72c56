//! Lines without a shape: a step's output, the engine's words, or another program's.

use super::build::{Build, Kind};
use super::shape;
use super::step::bounded;
use super::wrapper::{Mark, Wrapped};
use super::{again, ending, push};
use crate::rule::Speaker;

impl Build {
    /// A line without a shape: a step's output, the engine's words, or another program's.
    pub(super) fn text(&mut self, number: u64, wrapped: &Wrapped<'_>, carried: bool) {
        let text = wrapped.text;
        if self.quoting || (carried && self.kind == Kind::Buildkit) {
            self.hear_current(number, shape::quoted_output(text));
            return;
        }
        let failed = self.closing.is_some() || self.exit.is_some() || !self.loose.hits().is_empty();
        self.tries_again |= failed && again::tries_again(text);
        self.waived |= failed && again::waives(text);
        if self.kind == Kind::Loose {
            self.follow_push(number, text);
            self.follow_services(text);
        }
        self.follow_jenkins(text, failed);
        if let Some(code) = ending::badly(text) {
            self.exit = Some(code);
            return;
        }
        if wrapped.mark == Some(Mark::Warning) {
            self.warned.line(number, text, Speaker::Both, "");
            return;
        }
        if wrapped.mark == Some(Mark::Error) {
            self.marked.get_or_insert_with(|| (number, bounded(text)));
        }
        let in_step = matches!(self.kind, Kind::Linear | Kind::Hosted)
            && self.closing.is_none()
            && self.well.is_none();
        let inside =
            in_step && self.current.and_then(|at| self.steps.get(at)).is_some_and(|s| s.running);
        let outside = self.kind == Kind::Buildkit && self.well.is_none();
        let error = ending::error(text, inside)
            .or_else(|| ending::error_outside(text).filter(|_| outside))
            .or_else(|| self.is_podmans(text).then_some(text))
            .or_else(|| (self.pushes.is_some() && push::refuses(text)).then_some(text))
            .or_else(|| (wrapped.mark == Some(Mark::Fatal) && !inside).then_some(text));
        if let Some(aside) = &mut self.aside {
            aside.line(number, text, error.or_else(|| ending::error_outside(text)));
            return;
        }
        if let Some(error) = error {
            self.close(number, error);
            return;
        }
        if self.kind == Kind::Loose && ending::made_image(text) {
            self.made = Some(number);
        }
        match ending::tap(text) {
            Some(ending::Tap::Plan(count)) => self.tests = Some(count),
            Some(ending::Tap::Failed) if !in_step && self.tests.take().is_some() => {
                self.marked.get_or_insert_with(|| (number, bounded(text)));
            }
            Some(ending::Tap::Passed(number_of_test))
                if self.tests == Some(number_of_test) && !in_step =>
            {
                self.well = Some(number);
            }
            Some(ending::Tap::Passed(_) | ending::Tap::Failed) | None => {}
        }
        if ending::well(text) && (!in_step || self.ends_linear(text)) {
            self.well = Some(number);
            if in_step {
                return;
            }
        }
        if in_step {
            self.hear_current(number, text);
        } else {
            // The quoted block without its head: the time still stands in front of each line.
            let text = shape::timed(text.trim_start()).unwrap_or(text);
            self.loose.line(number, text, Speaker::Both, "");
        }
    }

    /// Takes the end of a service of Compose's: the first one ends the others, and how they are
    /// ended says nothing.
    fn follow_services(&mut self, text: &str) {
        let Some((name, code)) = text.split_once(" exited with code ") else { return };
        let Ok(code) = code.trim().parse::<i64>() else { return };
        if name.contains(' ') {
            return;
        }
        let stopped = matches!(code, 137 | 143) && self.service_ended;
        if code != 0 && !stopped {
            self.exit.get_or_insert(code);
        }
        self.service_ended = true;
    }

    /// Takes what Jenkins does after a failure: a step that begins without a block being left was
    /// reached because a script caught it.
    fn follow_jenkins(&mut self, text: &str, failed: bool) {
        let Some(step) = text.strip_prefix("[Pipeline] ") else { return };
        match step {
            "}" => self.unwound |= failed,
            "stage" | "node" | "error" | "End of Pipeline" => {}
            _ if step.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                self.waived |= failed && !self.unwound;
            }
            _ => {}
        }
    }

    /// Whether it is the last line of a command of Podman's, which begins all its errors alike.
    fn is_podmans(&self, text: &str) -> bool {
        let tools = ["podman ", "buildah "];
        self.kind == Kind::Loose
            && text.starts_with("Error: ")
            && self.command.as_deref().is_some_and(|line| tools.iter().any(|it| line.contains(it)))
    }

    /// Whether a good ending is the builder's own, not that of a tool in a step.
    fn ends_linear(&self, text: &str) -> bool {
        let text = text.trim_start();
        ["Successfully built ", "Successfully tagged ", "COMMIT ", "Build finished, took "]
            .iter()
            .any(|start| text.starts_with(start))
            || ending::kaniko(text)
    }

    /// Whether a line of a job that cleans up is about the job itself: its exit code, or an error
    /// that the CI system marks.
    pub(super) fn hears_of_the_end(&self, wrapped: &Wrapped<'_>) -> bool {
        ending::badly(wrapped.text).is_some() || wrapped.mark == Some(Mark::Error)
    }
}
