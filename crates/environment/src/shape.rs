//! A dialect's fields as data: the one table behind its checks, its JSON schema, its documentation
//! and `--explain`.

pub(crate) mod check;
pub(crate) mod kept;
pub(crate) mod rows;
pub(crate) mod schema;

use crate::Code;

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A text.
    Text(Texts),
    /// One of some words.
    Word(&'static [Word]),
    /// `true` or `false`.
    Flag,
    /// A whole number in a range.
    Whole { least: u64, most: u64 },
    /// A number or a text whose grammar the dialect checks itself; this names it.
    Measure(&'static str),
    /// Values of one shape, in order.
    List { item: &'static Shape, least: usize, most: usize },
    /// Known fields.
    Object(&'static Object),
    /// Any names, with values of one shape.
    Names(&'static Shape),
    /// The first of these whose kind of value (text, list, mapping) fits.
    Either(&'static [Shape]),
    /// A text or a list that another page or generation had here; refused by name.
    Former { list: bool, code: Code, what: &'static str, instead: &'static str },
    /// Whatever it is, it is kept.
    Anything,
}

impl Shape {
    /// A text without a rule.
    pub(crate) const TEXT: Self = Self::Text(Texts::ANY);
    /// A text that says something.
    pub(crate) const SOME_TEXT: Self = Self::Text(Texts { least: 1, ..Texts::ANY });
    /// A list of texts.
    pub(crate) const TEXTS: Self = Self::list(&Self::SOME_TEXT);

    /// A list of any length.
    pub(crate) const fn list(item: &'static Shape) -> Self {
        Self::List { item, least: 0, most: usize::MAX }
    }
}

/// What a text must be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts {
    /// The fewest characters, counted without white space at both ends.
    pub(crate) least: usize,
    /// The most characters.
    pub(crate) most: usize,
    /// A name's grammar, and its words for it.
    pub(crate) grammar: Option<(Grammar, &'static str)>,
}

/// Tells whether a text is of a grammar.
pub(crate) type Grammar = fn(&str) -> bool;

impl Texts {
    /// No rule.
    pub(crate) const ANY: Self = Self { least: 0, most: usize::MAX, grammar: None };
}

/// A word that stands for itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) name: &'static str,
    pub(crate) standing: Standing,
}

/// Whether a generation of the format has a word or a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Standing {
    /// This one has it.
    Current,
    /// Another generation writes it for the same thing; taken, with a note.
    Alias { of: &'static str, generation: &'static str },
    /// Another generation has it, or another place; refused by name.
    Refused { generation: &'static str, instead: &'static str },
}

impl Word {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, standing: Standing::Current }
    }

    pub(crate) const fn alias(
        name: &'static str,
        of: &'static str,
        generation: &'static str,
    ) -> Self {
        Self { name, standing: Standing::Alias { of, generation } }
    }

    pub(crate) const fn refused(
        name: &'static str,
        generation: &'static str,
        instead: &'static str,
    ) -> Self {
        Self { name, standing: Standing::Refused { generation, instead } }
    }
}

/// A mapping with known fields.
#[derive(Debug)]
pub(crate) struct Object {
    /// One sentence.
    pub(crate) what: &'static str,
    pub(crate) fields: &'static [Field],
    pub(crate) others: Others,
}

/// What a key is that no field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// The format is strict: it refuses the definition.
    Refused,
    /// Not published: kept, with a warning.
    Unpublished,
}

impl Object {
    pub(crate) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A field of a mapping.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) required: bool,
    pub(crate) standing: Standing,
    /// What Drydock does with it.
    pub(crate) does: Does,
    /// What it is when it is left out, as the page says it.
    pub(crate) default: Option<&'static str>,
    /// One sentence.
    pub(crate) what: &'static str,
    /// The published page.
    pub(crate) page: &'static str,
}

/// What Drydock does with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// It becomes part of the image.
    Built,
    /// It runs, or decides what runs.
    Tried,
    /// It is part of the plan, and nothing tries it: what the network lets through, a session's length.
    Planned,
    /// Its value is checked, and kept.
    Checked,
    /// It is kept as it is.
    Kept,
}

impl Does {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Built => "built",
            Self::Tried => "tried",
            Self::Planned => "planned",
            Self::Checked => "checked only",
            Self::Kept => "kept",
        }
    }
}

impl Field {
    /// An optional field.
    pub(crate) const fn new(
        name: &'static str,
        shape: Shape,
        does: Does,
        what: &'static str,
    ) -> Self {
        let standing = Standing::Current;
        Self { name, shape, required: false, standing, does, default: None, what, page: "" }
    }

    /// A field that the platform adds to an object that it gives back.
    pub(crate) const fn returned(name: &'static str, shape: Shape) -> Self {
        Self::new(name, shape, Does::Kept, "Set by the platform; comes back with the object.")
    }

    /// A field that this generation does not have.
    pub(crate) const fn refused(
        name: &'static str,
        generation: &'static str,
        instead: &'static str,
    ) -> Self {
        Self {
            standing: Standing::Refused { generation, instead },
            ..Self::new(name, Shape::Anything, Does::Checked, instead)
        }
    }

    pub(crate) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    pub(crate) const fn default(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(crate) const fn page(self, page: &'static str) -> Self {
        Self { page, ..self }
    }
}
