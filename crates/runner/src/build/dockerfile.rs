//! The Dockerfile as it is sent.

use planner::{ContextRoot, Instruction, Plan};

use crate::engine::Builder;

/// On every image of a classic build. The classic builder's cache is its chain of untagged images;
/// the mark says which of them are ours without telling runs apart, which would spoil the cache.
pub(crate) const CACHE_LABEL: &str = "dev.drydock.cache";

/// The plan's Dockerfile. For the classic builder a line behind `FROM` marks what it leaves.
pub(crate) fn dockerfile(plan: &Plan, builder: Builder) -> String {
    let text = planner::render(plan, ContextRoot::Nested);
    let from = plan.instructions.iter().find(|instruction| is_from(instruction));
    match (builder, from) {
        (Builder::Classic, Some(from)) => {
            let above = from.line.saturating_add(from.lines).saturating_sub(1) as usize;
            let mut lines: Vec<&str> = text.split('\n').collect();
            let label = format!("LABEL {CACHE_LABEL}=1");
            lines.insert(above.min(lines.len()), &label);
            lines.join("\n")
        }
        _ => text,
    }
}

/// Whether it is the instruction that the mark stands behind.
pub(super) fn is_from(instruction: &Instruction) -> bool {
    keyword(&instruction.text) == "FROM"
}

/// The instruction's keyword in capitals. Comment lines may stand in front of it.
pub(super) fn keyword(text: &str) -> String {
    let line = text.lines().map(str::trim_start).find(|l| !l.is_empty() && !l.starts_with('#'));
    line.and_then(|line| line.split_whitespace().next()).unwrap_or_default().to_ascii_uppercase()
}
