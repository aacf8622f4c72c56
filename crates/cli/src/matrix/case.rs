//! One case of the matrix: what is tried, on what, and how it must end.

use std::rc::Rc;
use std::time::Duration;

use planner::ContextRoot;
use runner::{BuilderChoice, CheckRequest, ContextRequest, PullPolicy, SmokeCommand, Timeouts};

use super::subject::Subject;
use crate::definitions::{Definitions, Shared};
use crate::judge::Expect;
use crate::recording::About;
use crate::report::json;

/// One case.
pub(crate) struct Case {
    /// Its name, unique in the matrix.
    pub(crate) name: String,
    /// The repository that it is about.
    pub(super) subject: Rc<Subject>,
    /// Which of the subject's readings it takes.
    pub(super) reading: usize,
    /// Which plan of the reading; none when a definition has an error.
    pub(super) plan: Option<usize>,
    /// Another base than the definition's.
    pub(crate) base: Option<String>,
    /// The builder.
    pub(crate) builder: BuilderChoice,
    /// How it must end.
    pub(crate) expect: Expect,
    /// What is run in the image.
    pub(super) smoke: Vec<SmokeCommand>,
    /// How long each part may take.
    pub(super) timeouts: Timeouts,
    /// How long all of it may take.
    pub(super) time_limit: Option<Duration>,
}

impl Case {
    /// The plan, and who shares it.
    pub(super) fn shared(&self) -> Option<&Shared> {
        self.plan.and_then(|plan| self.subject.readings[self.reading].definitions.plans.get(plan))
    }

    /// What its definitions came to.
    pub(super) fn definitions(&self) -> &Definitions {
        &self.subject.readings[self.reading].definitions
    }

    /// The base that is tried; empty when there is no plan.
    pub(super) fn tried_base(&self) -> String {
        let authored = || self.shared().map(|shared| shared.plan.base.reference.clone());
        self.base.clone().or_else(authored).unwrap_or_default()
    }

    /// What the runner is asked; nothing when there is no plan.
    pub(super) fn request(&self, pull: PullPolicy) -> Option<CheckRequest> {
        let plan = self.shared()?.plan.clone();
        let context = plan.checkout.is_some().then(|| ContextRequest {
            repository: self.subject.root.clone(),
            commit: self.subject.commit.clone(),
        });
        Some(CheckRequest {
            plan,
            context,
            base: self.base.clone(),
            pull,
            timeouts: self.timeouts,
            smoke: self.smoke.clone(),
            keep: false,
        })
    }

    /// What the recording tells of it.
    pub(crate) fn about(&self) -> About {
        let reading = &self.subject.readings[self.reading];
        let shared = self.shared();
        let plan = shared.map(|shared| &shared.plan);
        let environment = plan.map(|plan| plan.environment.clone());
        About {
            name: self.name.clone(),
            environment: environment.unwrap_or_else(|| reading.target.clone().unwrap_or_default()),
            agents: shared.map(|shared| shared.agents.clone()).unwrap_or_default(),
            base: self.tried_base(),
            builder: builder_name(self.builder).to_owned(),
            folder: self.subject.folder.clone(),
            expect: self.expect.clone(),
            dockerfile: plan
                .map_or(String::new(), |plan| planner::render(plan, ContextRoot::Checkout)),
            plan: plan.cloned().map(Box::new),
            findings: json::rows(&reading.definitions.findings),
        }
    }
}

/// A builder's name, as flags and files write it.
pub(super) const fn builder_name(builder: BuilderChoice) -> &'static str {
    match builder {
        BuilderChoice::Auto => "auto",
        BuilderChoice::Classic => "classic",
        BuilderChoice::Buildkit => "buildkit",
    }
}
