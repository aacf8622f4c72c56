//! [`Text`]: authored text taken over byte for byte, and how to point into it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Basis, Place};

/// Authored text that is taken over byte for byte, with what is needed to point into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Text {
    /// The text.
    pub value: String,
    /// Where it came from.
    pub basis: Basis,
    /// How it stands in the file.
    pub shape: TextShape,
}

/// How a text stands in the author's file: says how far an offset in it can be traced back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TextShape {
    /// On one line, character for character.
    Inline {
        /// The column of its first character.
        column: u32,
    },
    /// A literal block (`|`): line for line.
    Literal {
        /// The line of its first line of text.
        first_line: u32,
        /// The column at which each of its lines starts.
        column: u32,
    },
    /// Folded or escaped: only its start can be shown.
    Opaque,
}

impl Text {
    /// The place of the byte at `offset` in the author's file.
    ///
    /// An offset past the end means the end; one inside a character means that character. For a text
    /// that is folded or escaped in the file this is its start. `None` for what nobody wrote.
    #[must_use]
    pub fn place_at(&self, offset: usize) -> Option<Place> {
        let Basis::Authored { place, .. } = &self.basis else { return None };
        let before = &self.value[..self.value.floor_char_boundary(offset)];
        let (line, column) = match self.shape {
            TextShape::Inline { column } => (place.line, after(column, before)),
            TextShape::Literal { first_line, column } => {
                let newlines = before.bytes().filter(|byte| *byte == b'\n').count();
                let current = before.rsplit('\n').next().unwrap_or("");
                (
                    first_line.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX)),
                    after(column, current),
                )
            }
            TextShape::Opaque => (place.line, place.column),
        };
        Some(Place { file: place.file.clone(), line, column })
    }
}

fn after(start: u32, text: &str) -> u32 {
    start.saturating_add(u32::try_from(text.chars().count()).unwrap_or(u32::MAX))
}
