//! The plan's instructions as the steps that a builder counts.

use std::time::Duration;

use planner::{Instruction, InstructionKind, Package, Plan};
use triage::{AskedPackage, FailedStep, Phase};

use super::dockerfile::{is_from, keyword};
use crate::failure::source_place;
use crate::{StepId, Timeouts};

/// How many characters of an instruction make its title.
const TITLE: usize = 100;

/// All steps, in the order of the Dockerfile.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    all: Vec<Step>,
}

/// One step: an instruction of the plan.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) id: StepId,
    pub(crate) phase: Phase,
    pub(crate) title: String,
    /// Whether BuildKit makes a vertex of it, and so counts it.
    pub(crate) counted: bool,
    pub(crate) from: bool,
    /// Whether its time counts for its phase. The base was pulled before; the session's lines stand
    /// behind the checkout and would hold their phase open across it.
    pub(crate) timed: bool,
    pub(crate) limit: Duration,
    line: u32,
    lines: u32,
    failed: FailedStep,
}

impl Steps {
    /// The steps of a plan.
    pub(crate) fn of(plan: &Plan, timeouts: &Timeouts) -> Self {
        let all = plan.instructions.iter().enumerate();
        Self { all: all.map(|(index, i)| step(StepId(index), i, timeouts)).collect() }
    }

    /// Every step.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Step> {
        self.all.iter()
    }

    /// One step.
    pub(crate) fn get(&self, id: StepId) -> Option<&Step> {
        self.all.get(id.0)
    }

    /// The step that stands on a line of the plan's Dockerfile.
    pub(crate) fn at_line(&self, line: u32) -> Option<StepId> {
        self.all
            .iter()
            .find(|step| (step.line..step.line.saturating_add(step.lines)).contains(&line))
            .map(|step| step.id)
    }

    /// The same where our mark stands behind `FROM`.
    pub(crate) fn at_line_below_mark(&self, line: u32) -> Option<StepId> {
        let from = self.all.iter().find(|step| step.from).map_or(u32::MAX, |step| step.line);
        self.at_line(if line > from { line - 1 } else { line })
    }

    /// What triage is told about a step, its output apart.
    pub(crate) fn failed(&self, id: StepId) -> FailedStep {
        self.get(id).map(|step| step.failed.clone()).unwrap_or_default()
    }
}

fn step(id: StepId, instruction: &Instruction, timeouts: &Timeouts) -> Step {
    let own = instruction.timeout_s.map(Duration::from_secs);
    let limit = match instruction.kind {
        InstructionKind::Setup => own.map_or(timeouts.setup, |own| own.min(timeouts.setup)),
        _ => own.map_or(timeouts.step, |own| own.min(timeouts.step)),
    };
    let is_remark = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let first = instruction.text.lines().find(|line| !is_remark(line)).unwrap_or_default();
    let word = keyword(&instruction.text);
    Step {
        id,
        phase: phase_of(instruction.kind),
        title: instruction.name.clone().unwrap_or_else(|| {
            planner::view::purpose(instruction).map_or_else(|| short(first), str::to_owned)
        }),
        counted: matches!(word.as_str(), "FROM" | "RUN" | "COPY" | "ADD" | "WORKDIR"),
        from: is_from(instruction),
        timed: !matches!(instruction.kind, InstructionKind::Base | InstructionKind::Session),
        limit,
        line: instruction.line,
        lines: instruction.lines,
        failed: FailedStep {
            instruction: instruction.text.clone(),
            name: instruction.name.clone(),
            output: String::new(),
            source: instruction.place.as_ref().map(source_place),
            packages: instruction.packages.iter().map(package).collect(),
        },
    }
}

fn package(package: &Package) -> AskedPackage {
    let source = package.place.as_ref().map(source_place);
    AskedPackage { spec: package.spec.clone(), source }
}

/// A first line that fits a line of a report. The probe's is a whole script.
fn short(line: &str) -> String {
    let cut = line.char_indices().nth(TITLE).map(|(at, _)| at);
    cut.map_or_else(|| line.to_owned(), |at| format!("{}…", &line[..at]))
}

/// The phase that an instruction belongs to.
const fn phase_of(kind: InstructionKind) -> Phase {
    match kind {
        InstructionKind::Base => Phase::Pull,
        InstructionKind::Probe => Phase::Probe,
        InstructionKind::Bootstrap => Phase::Bootstrap,
        InstructionKind::Step | InstructionKind::Packages => Phase::AuthoredStep,
        InstructionKind::UserCreation | InstructionKind::Session => Phase::UserCreation,
        InstructionKind::Checkout => Phase::MountCopy,
        InstructionKind::Setup => Phase::Setup,
    }
}
