//! Cases to units of work: what would be the same run is one unit, what would be the same build one group.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use runner::{SmokeCommand, Timeouts};

use super::Case;
use super::case::builder_name;

/// One run, and the cases that it decides.
pub(super) struct Unit {
    /// The cases, in order; the first lends the run its plan.
    pub(super) cases: Vec<usize>,
}

/// All work.
pub(super) struct Units {
    /// Units by what they build, in the order of their first case. Units of one group run one after
    /// another, so that all but the first find their build in the engine's cache.
    pub(super) groups: Vec<Vec<Unit>>,
    /// Cases whose definition has an error: nothing is run for them.
    pub(super) invalid: Vec<usize>,
}

/// What is built.
#[derive(PartialEq, Eq, Hash)]
struct Build {
    plan_digest: String,
    base: String,
    builder: &'static str,
    /// The files of the checkout; nothing when the plan has none.
    checkout: Option<(PathBuf, String)>,
}

/// What is tried on it.
#[derive(PartialEq, Eq, Hash)]
struct Trial {
    smoke: Vec<String>,
    limits: [Duration; 4],
    time_limit: Option<Duration>,
}

impl Units {
    /// Puts cases together.
    pub(super) fn of(cases: &[Case]) -> Self {
        let mut all = Self { groups: Vec::new(), invalid: Vec::new() };
        let mut groups: HashMap<Build, usize> = HashMap::new();
        let mut units: HashMap<(usize, Trial), usize> = HashMap::new();
        for (index, case) in cases.iter().enumerate() {
            let Some(build) = Build::of(case) else {
                all.invalid.push(index);
                continue;
            };
            let group = *groups.entry(build).or_insert_with(|| {
                all.groups.push(Vec::new());
                all.groups.len() - 1
            });
            let of_group = &mut all.groups[group];
            let unit = *units.entry((group, Trial::of(case))).or_insert_with(|| {
                of_group.push(Unit { cases: Vec::new() });
                of_group.len() - 1
            });
            of_group[unit].cases.push(index);
        }
        all
    }
}

impl Build {
    fn of(case: &Case) -> Option<Self> {
        let plan = &case.shared()?.plan;
        let subject = &case.subject;
        Some(Self {
            plan_digest: plan.digest.clone(),
            base: case.tried_base(),
            builder: builder_name(case.builder),
            checkout: plan
                .checkout
                .as_ref()
                .map(|_| (subject.root.clone(), subject.commit.clone())),
        })
    }
}

impl Trial {
    fn of(case: &Case) -> Self {
        let Timeouts { setup, step, smoke, silence } = case.timeouts;
        let command = |smoke: &SmokeCommand| smoke.command.clone();
        Self {
            smoke: case.smoke.iter().map(command).collect(),
            limits: [setup, step, smoke, silence],
            time_limit: case.time_limit,
        }
    }
}
