//! The Dockerfile beside the author's lines that it was made from.

use environment::{Basis, Place};
use planner::{Instruction, InstructionKind};

use super::excerpt;
use super::markup::Page;
use super::text;
use crate::recording::{Case, Recorded, SpanKey, SpanState};

/// The section of a case; nothing for a case without a plan.
pub(super) fn section(page: &mut Page, recorded: &Recorded, case: &Case, run: &Case) {
    let Some(plan) = &case.about.plan else { return };
    page.element("details", &[("class", "dockerfile")], |page| {
        page.leaf("summary", &[], "Dockerfile beside the author’s lines");
        page.element("table", &[], |page| {
            page.element("thead", &[], |page| {
                page.literal(
                    "<tr><th scope=\"col\">author</th><th scope=\"col\">Dockerfile</th></tr>\n",
                );
            });
            page.element("tbody", &[], |page| {
                let dockerfile: Vec<&str> = case.about.dockerfile.lines().collect();
                for (index, instruction) in plan.instructions.iter().enumerate() {
                    let failed = run.spans.iter().any(|span| {
                        span.key == SpanKey::Step(index) && span.state == SpanState::Failed
                    });
                    let class = if failed { "failed" } else { "" };
                    page.element("tr", &[("class", class)], |page| {
                        page.element("td", &[], |page| author(page, recorded, case, instruction));
                        page.element("td", &[], |page| builder(page, &dockerfile, instruction));
                    });
                }
            });
        });
    });
}

fn author(page: &mut Page, recorded: &Recorded, case: &Case, instruction: &Instruction) {
    let Some(place) = place(case, instruction) else {
        page.leaf("span", &[("class", "faint")], platform(instruction.kind));
        return;
    };
    let path = case.path(place.file.as_str());
    page.leaf("span", &[("class", "faint place")], &format!("{path}:{}", place.line));
    let lines = recorded.files.get(&path).map(|file| excerpt::lines(file, place.line));
    if let Some(lines) = lines.filter(|lines| !lines.is_empty()) {
        page.element("pre", &[], |page| page.lines(lines));
    }
}

/// Where the author asked for it. The base's reference has its place in the plan, not in the instruction.
fn place<'a>(case: &'a Case, instruction: &'a Instruction) -> Option<&'a Place> {
    let base = || {
        let base = &case.about.plan.as_ref()?.base;
        let names_it = instruction.text.ends_with(&base.reference);
        match &base.basis {
            Some(Basis::Authored { place, .. }) if names_it => Some(place),
            _ => None,
        }
    };
    instruction
        .place
        .as_ref()
        .or_else(|| base().filter(|_| instruction.kind == InstructionKind::Base))
}

fn builder(page: &mut Page, dockerfile: &[&str], instruction: &Instruction) {
    let (first, count) = (instruction.line as usize, instruction.lines as usize);
    let lines = dockerfile.get(first.saturating_sub(1)..first.saturating_sub(1) + count);
    let text: Vec<&str> = match lines {
        Some(lines) if first > 0 => lines.to_vec(),
        _ => instruction.text.lines().collect(),
    };
    let whole = |page: &mut Page| {
        page.element("pre", &[], |page| {
            for (offset, line) in text.iter().enumerate() {
                page.leaf("span", &[("class", "number")], &(first + offset).to_string());
                page.lines([line]);
            }
        });
    };
    // The probe is one line of a page's length, the same in every report.
    if instruction.kind == InstructionKind::Probe {
        page.element("details", &[], |page| {
            page.leaf(
                "summary",
                &[],
                &format!("{first}  {}", text::first_line(&instruction.text, 60)),
            );
            whole(page);
        });
    } else {
        whole(page);
    }
}

const fn platform(kind: InstructionKind) -> &'static str {
    match kind {
        InstructionKind::Base => "the platform: base and build account",
        InstructionKind::Probe => "the platform: contract probe",
        InstructionKind::Bootstrap => "the platform: its own packages",
        InstructionKind::Step => "a step",
        InstructionKind::Packages => "packages",
        InstructionKind::UserCreation => "the platform: the session’s account",
        InstructionKind::Checkout => "the platform: the repository at its mount",
        InstructionKind::Session => "the platform: the session’s account and folder",
        InstructionKind::Setup => "setup",
    }
}
