//! What decides whether a command runs, and what its failure does.

use super::{Command, Failure};

/// What stands behind a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Separator,
    And,
    Or,
    Pipe,
}

/// What stands before a command.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Joint {
    #[default]
    Start,
    And,
    Condition,
}

/// What decides whether the next command runs.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow {
    blocks: u32,
    joint: Joint,
    negated: bool,
    /// An operator stands before, so that a newline ends nothing.
    open: bool,
    /// Inside parentheses or a substitution.
    inner: bool,
}

impl Flow {
    /// Inside parentheses or a substitution.
    pub(super) fn inner() -> Self {
        Self { inner: true, ..Self::default() }
    }

    /// A word stands here, so that no operator waits for one.
    pub(super) const fn word(&mut self) {
        self.open = false;
    }

    /// Takes note of a word that is no command but decides about commands; `false` for any other.
    pub(super) fn reserved(&mut self, word: &str) -> bool {
        match word {
            "if" | "while" | "until" => self.blocks += 1,
            "fi" | "done" => {
                self.blocks = self.blocks.saturating_sub(1);
                self.joint = Joint::Condition;
            }
            "!" => self.negated = true,
            "then" | "elif" | "else" | "do" | "{" | "}" | "time" | "exec" => {}
            "for" => {
                self.blocks += 1;
                return false;
            }
            _ => return false,
        }
        true
    }

    /// Nothing was called before `end`: it stands behind `fi`, `done` or an assignment.
    pub(super) const fn pass(&mut self, end: End) {
        match end {
            End::Separator if !self.open => self.joint = Joint::Start,
            End::Separator | End::And | End::Pipe => {}
            End::Or => self.joint = Joint::Condition,
        }
    }

    /// Says of a command before `end` whether it is reached and what its failure does.
    pub(super) fn call(&mut self, command: &mut Command, end: End) {
        let Self { blocks, joint, negated, inner, .. } = *self;
        command.is_reached = blocks == 0 && !inner && joint != Joint::Condition;
        command.failure = match end {
            _ if negated => Failure::IsForgiven,
            End::Separator => Failure::Stops,
            End::And => Failure::SkipsRest,
            End::Or | End::Pipe => Failure::IsForgiven,
        };
        let tests = matches!(command.name(), "[" | "test" | "command" | "which" | "type" | "hash");
        self.joint = match end {
            End::Separator => Joint::Start,
            End::And if tests || joint == Joint::Condition => Joint::Condition,
            End::And => Joint::And,
            End::Or => Joint::Condition,
            End::Pipe => joint,
        };
        self.negated = false;
        self.open = end != End::Separator;
    }
}
