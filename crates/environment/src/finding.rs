//! A finding: data about something in an author's file. Printing it is the report's business.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Code, Place, Severity};

/// Something found in a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What was found.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where; `None` only for what stands in no file (a repository without agents).
    pub place: Option<Place>,
    /// One line: what is wrong, without its place and without advice.
    pub message: String,
    /// What was expected there.
    pub expected: Option<String>,
    /// What to write or do instead.
    pub hint: Option<String>,
    /// The author's line with the part that is meant.
    pub excerpt: Option<Excerpt>,
    /// Other places that belong to it: the chain of imports, the first of two definitions.
    pub related: Vec<Related>,
}

/// A line of the author's file and the part of it that a caret underlines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// The line without its newline, cut to a bounded length, control characters replaced.
    pub line: String,
    /// Where the part starts, in characters from 0.
    pub start: u32,
    /// How many characters it has, at least 1.
    pub len: u32,
}

/// Another place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What stands there.
    pub message: String,
}
