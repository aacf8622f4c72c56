//! The log reader: bytes in, a verdict out, in constant memory.

mod again;
mod build;
mod ended;
mod ending;
mod json;
mod lines;
mod opening;
mod phase;
mod push;
mod said;
mod shape;
mod shell;
mod step;
mod trace;
mod verdict;
mod wrapper;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Code, Failure, Phase};
use build::Build;
use ended::Ended;
use lines::Lines;

/// What a log says about the build that wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogVerdict {
    /// `log-verdict/1`.
    pub schema: String,
    /// Whether it passed, failed, or cannot be told.
    pub verdict: Verdict,
    /// What failed.
    pub failure: Option<Failure>,
    /// How many lines were read.
    pub lines: u64,
}

/// Whether the build passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It ended well, whatever words it holds.
    Passed,
    /// It failed.
    Failed,
    /// The log neither ends well nor shows a failure: it is cut, or not a build's.
    Inconclusive,
}

/// Reads a log piece by piece.
///
/// Holds a bounded part of it: for each step that has not ended well the first line of each row
/// of the rule table and the last few lines; for each earlier build that failed, its failure.
#[derive(Debug, Default)]
pub struct LogReader {
    lines: Lines,
    builds: Builds,
}

impl LogReader {
    /// A reader that has read nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8]) {
        let Self { lines, builds } = self;
        lines.feed(bytes, |number, line| builds.line(number, line));
    }

    /// Takes the end of the log.
    #[must_use]
    pub fn finish(self) -> LogVerdict {
        let Self { lines, mut builds } = self;
        let count = lines.finish(|number, line| builds.line(number, line));
        let (verdict, failure) = builds.finish();
        LogVerdict { schema: "log-verdict/1".to_owned(), verdict, failure, lines: count }
    }
}

/// The builds of a log, one after the other.
#[derive(Debug, Default)]
struct Builds {
    current: Build,
    /// The last build that failed and was not repeated with success.
    failed: Option<Ended>,
    /// The last one that failed and of which the log says that it does not matter.
    survived: Option<Ended>,
    /// Whether the job is over and cleans up after itself.
    cleaning: bool,
    passed: bool,
    /// What the CI system said last about the whole.
    ended_well: Option<bool>,
}

impl Builds {
    fn line(&mut self, number: u64, line: &str) {
        let line = crate::ansi::strip(line);
        let mut carried = false;
        for part in line.split('\r') {
            let wrapped = wrapper::strip(part);
            if wrapped.text.trim().is_empty() {
                continue;
            }
            if let Some(well) = ending::of_job(wrapped.text) {
                self.ended_well = Some(well);
            }
            self.cleaning = ending::cleans(wrapped.text, self.cleaning);
            if self.cleaning && !self.current.hears_of_the_end(&wrapped) {
                continue;
            }
            if self.current.is_left_behind_by(&wrapped) {
                // Who goes on after an exit code has not said the last word with it.
                self.ended_well = None;
                self.end();
            } else if self.current.begins_another(wrapped.text) {
                self.end();
            }
            self.current.line(number, &wrapped, carried);
            carried = true;
        }
    }

    fn end(&mut self) {
        let ended = std::mem::take(&mut self.current).end(None);
        match &ended.outcome {
            (Verdict::Failed, _) if ended.is_survived() => self.survived = Some(ended),
            (Verdict::Failed, Some(failure)) if failure.is_a_consequence() => {
                self.failed.get_or_insert(ended);
            }
            (Verdict::Failed, _) => self.failed = Some(ended),
            (Verdict::Passed, _) => {
                self.passed = true;
                if self.failed.as_ref().is_some_and(|failed| failed.is_repeated_by(&ended)) {
                    self.failed = None;
                }
            }
            (Verdict::Inconclusive, _) => {}
        }
    }

    fn finish(mut self) -> (Verdict, Option<Failure>) {
        if self.ended_well == Some(true) {
            return (Verdict::Passed, None);
        }
        self.current.recall();
        let last = std::mem::take(&mut self.current).end(self.ended_well);
        // What does not matter to a log that ends well explains one that does not.
        let passed = last.outcome.0 == Verdict::Passed || self.passed && last.outcome.1.is_none();
        let failed = self.failed.or(self.survived.filter(|_| !passed));
        let repeated = failed.as_ref().is_some_and(|failed| failed.is_repeated_by(&last));
        let yields = failed.as_ref().is_some_and(|failed| last.yields_to(failed));
        match (last.outcome, failed) {
            ((Verdict::Failed, failure), Some(earlier)) => {
                // What failed first is the reason for what then could not go on, unless the same
                // thing was only tried again.
                let consequence = failure.as_ref().is_some_and(Failure::is_a_consequence);
                if consequence || yields { earlier.outcome } else { (Verdict::Failed, failure) }
            }
            ((Verdict::Failed, failure), None) => (Verdict::Failed, failure),
            ((Verdict::Passed, _), Some(_)) if repeated => (Verdict::Passed, None),
            ((Verdict::Passed | Verdict::Inconclusive, _), Some(earlier)) => earlier.outcome,
            ((Verdict::Passed, _), None) => (Verdict::Passed, None),
            ((Verdict::Inconclusive, _), None) if self.passed => (Verdict::Passed, None),
            ((Verdict::Inconclusive, _), None) => (Verdict::Inconclusive, None),
        }
    }
}

impl Failure {
    /// Whether it is what a failure before it leads to: the image is not there to be run.
    fn is_a_consequence(&self) -> bool {
        matches!(self.code, Code::ImageMissing | Code::Unclassified)
            || self.code == Code::PullAccessDenied && self.phase == Phase::Smoke
    }
}
