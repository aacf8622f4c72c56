//! A row of the rule table: the words of one tool, and what they mean.

use crate::{Code, Owner, Retry};

/// How much a line says about why the step failed. The heaviest line decides; among equals, the
/// first: a cause stands before its consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// A warning that a tool survives. It decides when it explains the line that won, or when
    /// nothing else was said.
    Hint,
    /// Says only that something below it failed.
    Trail,
    /// Often harmless on its own, or a symptom that other lines explain better.
    Weak,
    /// An error, but one that a more exact line may explain.
    Plain,
    /// Nothing but this can be the reason.
    Firm,
}

/// Whose line it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// What a step or command printed.
    Step,
    /// What the builder or the engine said.
    Engine,
    /// Either: runtimes speak in both places.
    Both,
}

/// Where in the line the needle must stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Anywhere.
    Anywhere,
    /// At the start, white space aside.
    Start,
    /// It is the whole line, white space aside.
    Whole,
    /// At the end, white space aside.
    End,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// What the words mean.
    pub(crate) code: Code,
    /// How much they say.
    pub(crate) weight: Weight,
    /// The words.
    pub(crate) needle: &'static str,
    /// Other words that must stand in the same line.
    pub(crate) also: &'static [&'static str],
    /// Words that must not stand in the same line.
    pub(crate) not: &'static [&'static str],
    /// Where the needle must stand.
    pub(crate) anchor: Anchor,
    /// Whose line it must be.
    pub(crate) speaker: Speaker,
    /// Who must act, where it differs from the code's owner.
    pub(crate) owner: Option<Owner>,
    /// Whether to retry, where it differs from the code's advice.
    pub(crate) retry: Option<Retry>,
    /// The real line that the row was made for.
    pub(crate) line: &'static str,
    /// Who writes that line.
    pub(crate) writer: &'static str,
}

/// What a step printed.
pub(crate) const fn step(weight: Weight, code: Code, needle: &'static str) -> Rule {
    Rule {
        code,
        weight,
        needle,
        also: &[],
        not: &[],
        anchor: Anchor::Anywhere,
        speaker: Speaker::Step,
        owner: None,
        retry: None,
        line: "",
        writer: "",
    }
}

/// What the builder or the engine said.
pub(crate) const fn engine(weight: Weight, code: Code, needle: &'static str) -> Rule {
    Rule { speaker: Speaker::Engine, ..step(weight, code, needle) }
}

/// What either said.
pub(crate) const fn both(weight: Weight, code: Code, needle: &'static str) -> Rule {
    Rule { speaker: Speaker::Both, ..step(weight, code, needle) }
}

impl Rule {
    /// Also needs these words.
    pub(crate) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// Must not have these words.
    pub(crate) const fn not(self, not: &'static [&'static str]) -> Self {
        Self { not, ..self }
    }

    /// The needle starts the line.
    pub(crate) const fn start(self) -> Self {
        Self { anchor: Anchor::Start, ..self }
    }

    /// The needle is the line.
    pub(crate) const fn whole(self) -> Self {
        Self { anchor: Anchor::Whole, ..self }
    }

    /// The needle ends the line.
    pub(crate) const fn end(self) -> Self {
        Self { anchor: Anchor::End, ..self }
    }

    /// Somebody else must act than the code says.
    pub(crate) const fn owner(self, owner: Owner) -> Self {
        Self { owner: Some(owner), ..self }
    }

    /// The network's or the machine's fault, and it may pass.
    pub(crate) const fn passing(self) -> Self {
        Self { owner: Some(Owner::Infrastructure), retry: Some(Retry::Later), ..self }
    }

    /// A retry may help.
    pub(crate) const fn later(self) -> Self {
        Self { retry: Some(Retry::Later), ..self }
    }

    /// A retry cannot help.
    pub(crate) const fn never(self) -> Self {
        Self { retry: Some(Retry::Never), ..self }
    }

    /// The real line, and who writes it.
    pub(crate) const fn seen(self, line: &'static str, writer: &'static str) -> Self {
        Self { line, writer, ..self }
    }

    /// Whether a line that holds the needle at `start..end` fits the rest of the row.
    pub(crate) fn fits(&self, line: &str, start: usize, end: usize) -> bool {
        let placed = match self.anchor {
            Anchor::Anywhere => true,
            Anchor::Start => blank(&line[..start]),
            Anchor::Whole => blank(&line[..start]) && blank(&line[end..]),
            Anchor::End => blank(&line[end..]),
        };
        placed
            && self.also.iter().all(|word| line.contains(word))
            && !self.not.iter().any(|word| line.contains(word))
    }
}

fn blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}
