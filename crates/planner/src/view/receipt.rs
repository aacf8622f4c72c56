//! What became of every authored text: its bytes, the lines of the Dockerfile, and its place.
//!
//! The receipt does not repeat what the planner believes. It renders the Dockerfile, reads it as a
//! builder does, and compares.

use std::fmt::Write as _;

use environment::{Body, ResolvedEnvironment, Stage, Text};

use super::origin::at;
use super::printable;
use crate::dockerfile::{Grammar, Json, parse, read_json};
use crate::{ContextRoot, Instruction, InstructionKind, Plan, render, script, session};

/// Shows each authored step and setup entry beside what it became.
#[must_use]
pub fn receipt(plan: &Plan, environment: &ResolvedEnvironment) -> String {
    let dockerfile = render(plan, ContextRoot::Checkout);
    let lines: Vec<&str> = dockerfile.split('\n').collect();
    let mut text = String::new();
    for instruction in &plan.instructions {
        let Some(stage) = environment.stages.iter().find(|stage| stage.id == instruction.stage)
        else {
            continue;
        };
        let first = (instruction.line as usize).saturating_sub(1).min(lines.len());
        let last = (first + instruction.lines as usize).min(lines.len());
        let written = &lines[first..last];
        match (instruction.kind, &stage.body) {
            (InstructionKind::Step, Body::Instruction { text: authored }) => {
                step(&mut text, instruction, authored, written);
            }
            (InstructionKind::Setup, Body::Commands { commands }) => {
                let exports = session::exported(&plan.variables);
                let expected = script::text(stage.prelude.as_deref(), &exports, commands);
                setup(&mut text, instruction, stage, commands, &expected, written);
            }
            _ => {}
        }
    }
    for gap in plan.not_proven.iter().filter(|gap| is_skipped(environment, &gap.what)) {
        let _ = writeln!(text, "{}: not in the Dockerfile, because {}\n", gap.what, gap.why);
    }
    if text.is_empty() { "No steps and no setup.\n".to_owned() } else { text }
}

fn is_skipped(environment: &ResolvedEnvironment, what: &str) -> bool {
    environment.stages.iter().any(|stage| stage.id.as_str() == what)
}

fn step(receipt: &mut String, instruction: &Instruction, authored: &Text, written: &[&str]) {
    let joined = written.join("\n");
    let bytes = authored.value.strip_suffix('\n').unwrap_or(&authored.value);
    let verdict = verdict(joined == bytes, &format!("{} bytes, unchanged", bytes.len()));
    let _ = writeln!(receipt, "{}: {verdict}", instruction.stage);
    let mut offset = 0;
    let width =
        written.iter().map(|line| printable(line).chars().count()).max().unwrap_or(0).min(60);
    for (index, line) in written.iter().enumerate() {
        let place = authored.place_at(offset);
        let place = place.as_ref().map_or_else(String::new, at);
        let number = instruction.line as usize + index;
        let shown = format!("  {number:>4} │ {:width$}  {place}", printable(line));
        let _ = writeln!(receipt, "{}", shown.trim_end());
        offset += line.len() + 1;
    }
    receipt.push('\n');
}

fn setup(
    receipt: &mut String,
    instruction: &Instruction,
    stage: &Stage,
    commands: &[Text],
    expected: &str,
    written: &[&str],
) {
    let shell = stage.shell.as_deref().unwrap_or_default().join(" ");
    let unchanged = script_of(&written.join("\n")).as_deref() == Some(expected);
    let words = format!("one script for `{shell}`, its commands unchanged");
    let _ = writeln!(receipt, "{}: {}", instruction.stage, verdict(unchanged, &words));
    for command in commands {
        let place = command.place_at(0);
        let place = place.as_ref().map_or_else(String::new, at);
        let bytes = command.value.len();
        let _ = writeln!(
            receipt,
            "       │ {} ({bytes} bytes)  {place}",
            super::shortened(&command.value, 60)
        );
    }
    for (index, line) in written.iter().enumerate() {
        let _ =
            writeln!(receipt, "  {:>4} │ {}", instruction.line as usize + index, printable(line));
    }
    receipt.push('\n');
}

fn verdict(unchanged: bool, words: &str) -> String {
    if unchanged { words.to_owned() } else { "CHANGED (a fault of this program)".to_owned() }
}

/// The last argument of an instruction in JSON form, as a builder hands it over.
fn script_of(text: &str) -> Option<String> {
    let instruction = parse(text, Grammar::Docker20).instructions.pop()?;
    match read_json(&instruction.arguments) {
        Json::Texts(mut arguments) => arguments.pop(),
        Json::NotTexts | Json::TextsAndMore | Json::No => None,
    }
}
