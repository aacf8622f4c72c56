//! A build that is over: what it came to, and whether a later one makes up for it.

use super::Verdict;
use super::build::Build;
use super::phase;
use super::step;
use crate::essence::essence;
use crate::{Code, Failure, Phase};

/// A build that is over.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) outcome: (Verdict, Option<Failure>),
    pub(super) identity: Identity,
    pub(super) tries_again: bool,
    /// Whether the job went on with its next step: it need not have been one that must pass.
    pub(super) went_on: bool,
    /// Whether the job named an exit code for it.
    pub(super) by_job: bool,
    /// What the command does, and whether somebody typed it.
    pub(super) phase: Option<Phase>,
    pub(super) by_hand: bool,
    /// Whether the script or the job said that a failure of it does not matter.
    pub(super) spared: bool,
    /// Whether only a word that is often harmless says that it failed.
    pub(super) doubtful: bool,
}

/// What makes two builds the same one, tried twice.
#[derive(Debug)]
pub(super) struct Identity {
    command: Option<String>,
    /// Its first steps.
    steps: Vec<String>,
}

impl Identity {
    /// Steps that are remembered.
    const STEPS: usize = 8;
    /// Steps that tell two builds apart: a base image, and what is done with it.
    const TELLING: usize = 2;

    pub(super) fn of(build: &Build) -> Self {
        let own = |title: &&str| {
            title.starts_with('[') && !title.contains("internal]")
                || !title.starts_with('[')
                    && phase::of_step(title) != Phase::Export
                    && !title.is_empty()
        };
        let mut steps: Vec<String> = Vec::new();
        for title in build.steps.iter().map(|step| step.title.as_str()).filter(own) {
            let text = step::instruction(title);
            if !title.starts_with("[auth]") && steps.iter().all(|known| known != text) {
                steps.push(text.to_owned());
            }
            if steps.len() == Self::STEPS {
                break;
            }
        }
        Self { command: build.command.as_deref().map(essence), steps }
    }

    /// Whether it is the same build; `again` tells that it was going to be tried again.
    fn is(&self, later: &Self, again: bool) -> bool {
        if let (Some(mine), Some(other)) = (&self.command, &later.command) {
            return mine == other;
        }
        if self.steps.is_empty() || later.steps.is_empty() {
            return again;
        }
        let first =
            |steps: &[String]| steps.iter().take(Self::TELLING).cloned().collect::<Vec<_>>();
        first(&self.steps) == first(&later.steps)
            || again && self.steps.iter().any(|step| later.steps.contains(step))
    }
}

impl Ended {
    /// Whether a later build is another try of this one.
    pub(super) fn is_repeated_by(&self, later: &Self) -> bool {
        // An engine that could be reached in the end was only waited for.
        let waited =
            self.outcome.1.as_ref().is_some_and(|failure| failure.code == Code::DaemonAccess);
        let same = self.identity.is(&later.identity, self.tries_again);
        // Who types commands looks at what they say before typing the next.
        let mended = self.by_hand && later.by_hand && self.phase == later.phase;
        same || mended || waited || self.went_on
    }

    /// Whether the log may go on well after this failure: the script caught it or said that it
    /// does not matter, or nothing but a harmless word speaks for it.
    pub(super) const fn is_survived(&self) -> bool {
        self.spared || self.doubtful
    }

    /// Whether an earlier failure is rather the reason than this one.
    pub(super) fn yields_to(&self, earlier: &Self) -> bool {
        self.doubtful || earlier.went_on && !self.by_job
    }
}
