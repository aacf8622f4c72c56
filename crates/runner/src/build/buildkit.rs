//! What BuildKit says. Vertices come again at every change and in no promised order.

use std::collections::HashMap;
use std::time::Instant;

use triage::Phase;

use super::Steps;
use super::refusal::Refusal;
use super::tracker::Tracker;
use crate::StepId;
use crate::engine::{BuildUpdate, Vertex};

/// Reads BuildKit's vertices and logs.
pub(crate) struct Reader {
    /// The steps that BuildKit counts, in its order.
    counted: Vec<StepId>,
    roles: HashMap<String, Role>,
    refused: Option<Refusal>,
}

/// What a vertex stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Step(StepId),
    /// `[internal] load metadata for …`: the registry is asked about the base.
    Base,
    /// `exporting to image`.
    Export,
    /// `[internal] load …`, uploads.
    Other,
}

impl Reader {
    pub(crate) fn new(steps: &Steps) -> Self {
        let counted = steps.iter().filter(|step| step.counted).map(|step| step.id).collect();
        Self { counted, roles: HashMap::new(), refused: None }
    }

    /// Takes one update.
    pub(crate) fn update(&mut self, update: BuildUpdate, tracker: &mut Tracker, now: Instant) {
        match update {
            BuildUpdate::Vertex(vertex) => self.vertex(vertex, tracker, now),
            BuildUpdate::Log { vertex, stream, bytes } => {
                if let Some(Role::Step(id)) = self.roles.get(&vertex) {
                    tracker.output(*id, stream, &bytes);
                }
            }
            BuildUpdate::Progress | BuildUpdate::Text { .. } | BuildUpdate::Image { .. } => {}
        }
    }

    /// Where it failed.
    pub(crate) fn refusal(&self) -> Refusal {
        self.refused.clone().unwrap_or_default()
    }

    fn vertex(&mut self, vertex: Vertex, tracker: &mut Tracker, now: Instant) {
        let Vertex { digest, name, started_ms, completed_ms, cached, error } = vertex;
        let role = self.role(&name);
        let role = *self.roles.entry(digest).or_insert(role);
        if !error.is_empty() {
            self.refuse(role, &error);
        }
        let Role::Step(id) = role else { return };
        let took = started_ms.zip(completed_ms);
        let took = took.map(|(from, to)| u64::try_from(to.saturating_sub(from)).unwrap_or(0));
        if !error.is_empty() {
            tracker.failed(id, took, now);
        } else if cached || completed_ms.is_some() {
            tracker.done(id, took, cached, now);
        } else if started_ms.is_some() {
            tracker.began(id, now);
        }
    }

    fn refuse(&mut self, role: Role, error: &str) {
        // When one vertex fails, its neighbours are cancelled; they are not the reason.
        if self.refused.is_some() || error.ends_with("context canceled") {
            return;
        }
        let (step, phase) = match role {
            Role::Step(id) => (Some(id), None),
            Role::Base => (None, Some(Phase::Pull)),
            Role::Export => (None, Some(Phase::Export)),
            Role::Other => (None, None),
        };
        self.refused = Some(Refusal { step, phase, message: Some(error.to_owned()) });
    }

    fn role(&self, name: &str) -> Role {
        if name.starts_with("exporting") {
            return Role::Export;
        }
        let Some((inside, _)) = name.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
            return Role::Other;
        };
        if inside == "internal" {
            let base = name.contains("load metadata for");
            return if base { Role::Base } else { Role::Other };
        }
        // `[ 2/9]`, or `[name 2/9]` where the stage has a name.
        let number = inside.rsplit(' ').next().and_then(|word| word.split_once('/'));
        let index = number.and_then(|(n, _)| n.parse::<usize>().ok()?.checked_sub(1));
        match index.and_then(|index| self.counted.get(index)) {
            Some(id) => Role::Step(*id),
            None => Role::Other,
        }
    }
}
