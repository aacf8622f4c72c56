//! A plan for people, as plain text: what was planned and where each value comes from, and what
//! became of every authored text.

mod human;
mod origin;
mod receipt;
mod rows;

pub use human::human;
pub use receipt::receipt;

use crate::{Instruction, InstructionKind};

/// What a script of the platform's part does, in a few words: its text says it to nobody.
#[must_use]
pub fn purpose(instruction: &Instruction) -> Option<&'static str> {
    match instruction.kind {
        InstructionKind::Probe => Some("the contract probe"),
        InstructionKind::UserCreation if is_run(instruction) => Some("makes the account"),
        InstructionKind::Checkout if is_run(instruction) => Some("makes the mount's folder"),
        _ => None,
    }
}

fn is_run(instruction: &Instruction) -> bool {
    instruction.text.starts_with("RUN")
}

/// Text of an author's or a registry's on one line of a terminal: nothing in it can move the cursor.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { ' ' } else { c }).fold(
        String::with_capacity(text.len()),
        |mut line, c| {
            if c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}'..='\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}') {
                line.extend(c.escape_unicode());
            } else {
                line.push(c);
            }
            line
        },
    )
}

/// The start of a text, on one line.
fn shortened(text: &str, characters: usize) -> String {
    let line = printable(text.lines().next().unwrap_or_default());
    if text.lines().count() <= 1 && line.chars().count() <= characters {
        return line;
    }
    let start: String = line.chars().take(characters.saturating_sub(1)).collect();
    format!("{start}…")
}
