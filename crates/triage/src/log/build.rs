//! One build of a log: its steps, what was said outside of them, and how it ended.

use super::opening::{self, Opening, Overheard};
use super::shape::{self, Shape, State, Vertex};
use super::step::{self, Key, Step, bounded};
use super::wrapper::Wrapped;
use super::{json, shell};
use crate::Phase;
use crate::closing::{self, Closing};
use crate::heard::Heard;
use crate::rule::Speaker;

use super::ended::Ended;

/// Steps that are remembered at once; those that ended well are forgotten first.
const STEPS: usize = 400;
/// Bytes of a title that a terminal cut off, at least: less could be the title of any step.
const SHORTEST_CUT: usize = 16;
/// Lines of a closing error that spans lines: the longest setup that is worth quoting.
const LINES_OF_CLOSING: u64 = 200;
/// Bytes of a closing error that spans lines.
const LONGEST_CLOSING: usize = 64 * 1024;

/// A build, or a command of a container tool, or what stands between them.
#[derive(Debug, Default)]
pub(super) struct Build {
    /// The command that began it.
    pub(super) command: Option<String>,
    /// How the log showed it.
    pub(super) kind: Kind,
    pub(super) steps: Vec<Step>,
    /// The step whose lines are being read without a mark of their own.
    pub(super) current: Option<usize>,
    /// Whether the quoted output of a failed step is being read.
    pub(super) quoting: bool,
    /// Whether the quoted output of a failed step was read to its end.
    pub(super) quoted: bool,
    /// What was said outside of steps.
    pub(super) loose: Heard,
    /// The error with which it ended, and its line.
    pub(super) closing: Option<(u64, String, Closing)>,
    /// A closing error that spans lines, so far.
    open_closing: Option<(u64, String)>,
    /// The last line that said that it ended well.
    pub(super) well: Option<u64>,
    /// The last line that said that an image was made, fetched or pushed, outside of builders.
    pub(super) made: Option<u64>,
    /// The exit code with which a job says that its command failed.
    pub(super) exit: Option<i64>,
    /// A line that a CI system marks as an error.
    pub(super) marked: Option<(u64, String)>,
    /// Whether a line says that the same will be tried again.
    pub(super) tries_again: bool,
    /// Whether a line behind a failure says that it does not matter.
    pub(super) waived: bool,
    /// Whether the job went on with another step after its exit code.
    pub(super) went_on: bool,
    /// How many tests a runner of the Test Anything Protocol said to come.
    pub(super) tests: Option<u64>,
    /// The repository that a push names; empty where the log does not show its beginning.
    pub(super) pushes: Option<String>,
    /// The last line that said that a push is complete.
    pub(super) pushed: Option<u64>,
    /// Set while a command is read that builds nothing.
    pub(super) aside: Option<Box<Overheard>>,
    /// Whether somebody typed the command.
    pub(super) by_hand: bool,
    /// Whether Jenkins left a block since the failure.
    pub(super) unwound: bool,
    /// Whether a service of Compose's has ended.
    pub(super) service_ended: bool,
    /// What CI systems mark as mere warnings.
    pub(super) warned: Heard,
    /// Whether the terminal's progress says that all its steps are over.
    pub(super) finished: bool,
    /// The instruction that the frame marks.
    pub(super) framed: Option<String>,
    /// The number of the last line.
    pub(super) last: u64,
}

/// Who wrote the lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// No builder.
    #[default]
    Loose,
    /// BuildKit, in any of its shapes.
    Buildkit,
    /// The classic builder, Buildah, kaniko: one step after the other.
    Linear,
    /// E2B's template builder.
    Hosted,
}

impl Build {
    /// Takes a line. `carried` is set for what follows a carriage return in the same line.
    pub(super) fn line(&mut self, number: u64, wrapped: &Wrapped<'_>, carried: bool) {
        let text = wrapped.text;
        self.last = number;
        if let Some((start, open)) = &mut self.open_closing {
            let start = *start;
            open.push('\n');
            open.push_str(text);
            let may_end = text.contains("returned a non-zero code") || text.contains("]: ");
            let too_long = open.len() > LONGEST_CLOSING || number > start + LINES_OF_CLOSING;
            if may_end && closing::names_command(open) || too_long {
                let whole = std::mem::take(open);
                self.open_closing = None;
                self.close(start, &whole);
            }
            return;
        }
        if text.starts_with('{') && json::line(self, number, text) {
            return;
        }
        match opening::of(text) {
            Some(Opening::Command(command)) => {
                self.command = Some(bounded(command));
                self.by_hand = shell::typed(text).is_some();
                self.aside = None;
                return;
            }
            Some(opening @ (Opening::Aside(_) | Opening::Other)) => {
                self.aside(number, text, opening);
            }
            Some(Opening::First)
                if text.starts_with("Sending build context") || text.starts_with("Building ") =>
            {
                return;
            }
            Some(Opening::First) | None => {}
        }
        if let Some(progress) = text.strip_prefix("[+] Building ") {
            if self.kind == Kind::Loose {
                self.kind = Kind::Buildkit;
            }
            self.finished = shape::is_finished(progress);
        }
        match shape::of(text) {
            Shape::Vertex(_, vertex) if self.quoting => {
                if let Vertex::Output(output) = vertex {
                    self.hear_current(number, output);
                }
            }
            Shape::Vertex(id, vertex) => self.vertex(number, id, vertex),
            Shape::Row(state, title) => {
                self.kind = Kind::Buildkit;
                let at = self.step(&Key::Title, title);
                self.steps[at].set(state);
                self.current = Some(at);
                self.quoting = false;
            }
            Shape::RowOutput(output) => self.hear_current(number, output),
            // The last things that happen to an image; a failed build does not come so far.
            Shape::RowDetail(detail) => {
                if [
                    "writing image ",
                    "naming to ",
                    "unpacking to ",
                    "pushing manifest for ",
                    "sending tarball",
                ]
                .iter()
                .any(|last| detail.starts_with(last))
                {
                    self.well = Some(number);
                }
            }
            Shape::Rule => {
                self.quoted |= self.quoting;
                self.quoting = false;
                if self.kind == Kind::Buildkit {
                    self.current = None;
                }
            }
            Shape::Quoted(title) if self.kind != Kind::Linear => {
                self.kind = Kind::Buildkit;
                let at = self.row_cut_from(title).unwrap_or_else(|| self.step(&Key::Title, title));
                self.steps[at].set(State::Failed);
                self.current = Some(at);
                self.quoting = true;
            }
            Shape::Frame(marked) if self.kind == Kind::Buildkit || self.closing.is_some() => {
                if let Some(line) = marked {
                    self.framed.get_or_insert_with(|| bounded(line));
                }
            }
            Shape::Step(instruction) if self.kind != Kind::Buildkit => {
                self.kind = Kind::Linear;
                if let Some(step) = self.current.and_then(|at| self.steps.get_mut(at)) {
                    step.set(State::Done);
                }
                self.push(Step::new(Key::Title, instruction));
                // Podman before 3 counts the last of its work among the steps.
                self.well = instruction.starts_with("COMMIT").then_some(number);
            }
            Shape::Running if self.kind == Kind::Linear => {
                if let Some(step) = self.current.and_then(|at| self.steps.get_mut(at)) {
                    step.running = true;
                    step.heard = Heard::default();
                }
            }
            Shape::Layer if self.kind == Kind::Linear => {
                if let Some(step) = self.current.and_then(|at| self.steps.get_mut(at)) {
                    step.set(State::Done);
                }
            }
            Shape::HostedStep(_, title) => {
                self.kind = Kind::Hosted;
                if let Some(step) = self.current.and_then(|at| self.steps.get_mut(at)) {
                    step.set(State::Done);
                }
                let title = if text.starts_with("[base]") || text.starts_with("CACHED [base]") {
                    format!("[base] {title}")
                } else {
                    title.to_owned()
                };
                self.push(Step::new(Key::Title, &title));
            }
            Shape::HostedOutput(_, output) => self.hear_current(number, output),
            Shape::Quoted(_)
            | Shape::Frame(_)
            | Shape::Step(_)
            | Shape::Running
            | Shape::Layer
            | Shape::Text(_) => self.text(number, wrapped, carried),
        }
    }

    fn vertex(&mut self, number: u64, id: u64, vertex: Vertex<'_>) {
        if id == 0 {
            // Before 0.10 the quoted block numbered every step 0; its head may be cut off.
            if let Vertex::Output(output) = vertex {
                self.kind = Kind::Buildkit;
                if self.current.and_then(|at| self.steps.get(at)).is_some_and(Step::is_done) {
                    self.current = None;
                }
                self.hear_current(number, output);
            }
            return;
        }
        self.kind = Kind::Buildkit;
        self.quoting = false;
        let title = if let Vertex::Title(title) = vertex { title } else { "" };
        let known = self.steps.len();
        let at = self.step(&Key::Number(id), title);
        if self.steps.len() > known && title.starts_with('[') && !title.contains("[auth]") {
            // One build may export several images; it is not over while steps begin.
            self.well = None;
        }
        let step = &mut self.steps[at];
        match vertex {
            Vertex::Title(_) => {
                let done = ["writing image ", "naming to ", "pushing manifest for "]
                    .iter()
                    .any(|last| title.starts_with(last));
                if done && title.trim_end().ends_with("done") {
                    self.well = Some(number);
                }
            }
            Vertex::Output(output) => step.line(number, output),
            Vertex::State(state, error) => {
                step.set(state);
                if !error.is_empty() {
                    step.error.get_or_insert_with(|| bounded(error));
                }
                if state == State::Done && step.title.starts_with("exporting") {
                    self.well = Some(number);
                }
            }
        }
        // Terminal progress and plain output of other tools do not belong to a vertex.
        self.current = Some(at);
    }

    /// Takes the builder's error.
    pub(super) fn close(&mut self, number: u64, text: &str) {
        let whole = closing::read(text);
        let opens = ["The command '", "The command [", "executor failed running [", "process \"/"];
        let spans = whole.command.is_none() && opens.iter().any(|open| text.contains(open));
        if spans
            && self.closing.is_none()
            && !text.contains("did not complete")
            && self.open_closing.is_none()
            && !text.contains('\n')
        {
            self.open_closing = Some((number, bounded(text)));
            return;
        }
        // The first error that names a code, else the first: what comes later repeats it.
        let better =
            self.closing.as_ref().is_none_or(|(_, _, known)| !known.is_exit() && whole.is_exit());
        if better {
            self.closing = Some((number, bounded(text), whole));
        }
    }

    pub(super) fn hear_current(&mut self, number: u64, text: &str) {
        match self.current.and_then(|at| self.steps.get_mut(at)) {
            Some(step) if self.quoting => step.quoted(number, text),
            Some(step) => step.line(number, text),
            None => self.loose.line(number, text, Speaker::Both, ""),
        }
    }

    /// The place of the step with this key, made where it is new.
    pub(super) fn step(&mut self, key: &Key, title: &str) -> usize {
        let same = |step: &Step| match key {
            Key::Title => step.title == title || step.title.starts_with(title) && title.len() > 60,
            key => step.key == *key,
        };
        if let Some(at) = self.current.filter(|at| self.steps.get(*at).is_some_and(same)) {
            return at;
        }
        if let Some(at) = self.steps.iter().rposition(same) {
            return at;
        }
        self.push(Step::new(key.clone(), if step::is_title(title) { title } else { "" }))
    }

    /// The failed row whose title the terminal was too narrow for; the quoted block has the whole.
    fn row_cut_from(&mut self, title: &str) -> Option<usize> {
        let at = self.steps.iter().rposition(|step| {
            step.key == Key::Title
                && step.state == State::Failed
                && step.title.len() >= SHORTEST_CUT
                && step.title.len() < title.len()
                && title.starts_with(&step.title)
        })?;
        self.steps[at].title = bounded(title);
        Some(at)
    }

    fn push(&mut self, step: Step) -> usize {
        if self.steps.len() == STEPS {
            let gone = self.steps.iter().position(|step| step.state == State::Done).unwrap_or(0);
            self.steps.remove(gone);
        }
        self.steps.push(step);
        self.current = Some(self.steps.len() - 1);
        self.steps.len() - 1
    }

    /// Whether nothing has been heard yet.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
            && self.command.is_none()
            && self.closing.is_none()
            && self.loose.hits().is_empty()
    }

    /// Whether it has come to an end, good or bad.
    pub(super) fn has_ended(&self) -> bool {
        self.well.is_some() || self.closing.is_some() || self.exit.is_some()
    }

    /// Whether a first line of a builder repeats one that this build already has.
    pub(super) fn repeats(&self, text: &str) -> bool {
        match shape::of(text) {
            Shape::Step(_) => self.kind == Kind::Linear && !self.steps.is_empty(),
            Shape::HostedStep(..) => {
                self.kind == Kind::Hosted
                    && self.steps.iter().any(|step| !step.title.starts_with("[base]"))
            }
            _ => false,
        }
    }

    /// Whether a line is of a builder that did not write this build.
    pub(super) fn is_of_another_builder(&self, text: &str) -> bool {
        match shape::of(text) {
            Shape::Vertex(id, Vertex::Title(title)) => {
                // A number that is given to another step belongs to another build, and so does a
                // step that begins anew behind the error that ended all.
                let taken = |step: &Step| {
                    step.key == Key::Number(id)
                        && !step.title.is_empty()
                        && (step.state == State::Done && step.title != title
                            || step.state != State::Running && self.closing.is_some())
                };
                id > 0
                    && title.starts_with('[')
                    && (self.kind != Kind::Buildkit || self.steps.iter().any(taken))
            }
            Shape::Step(_) => self.kind == Kind::Buildkit,
            // A log may begin with the quoted block.
            Shape::Quoted(title) => self.kind == Kind::Linear && title.starts_with('['),
            Shape::Vertex(_, Vertex::Output(_)) => self.kind == Kind::Linear,
            _ => false,
        }
    }

    /// The phase of the command, where nothing better is known.
    pub(super) fn command_phase(&self) -> Option<Phase> {
        let by_name = self.command.as_deref().and_then(super::phase::of_command);
        by_name.or_else(|| self.pushes.is_some().then_some(Phase::Export))
    }

    /// Ends it; `job` is the CI system's last word on all.
    pub(super) fn end(mut self, job: Option<bool>) -> Ended {
        if let Some((number, open)) = self.open_closing.take() {
            self.closing.get_or_insert_with(|| {
                let whole = closing::read(&open);
                (number, open, whole)
            });
        }
        super::verdict::of(&self, job)
    }
}
