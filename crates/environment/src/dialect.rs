//! The formats that can be read: one row each, one folder each.

use crate::files::Files;
use crate::{Finding, ResolvedEnvironment, Target, auto};

/// A definition format.
pub(crate) struct Format {
    /// Where its definitions live, for the finding that there are none.
    pub(crate) home: &'static str,
    /// Reads its definitions.
    pub(crate) resolve: fn(&mut Files<'_>, &Target) -> Answer,
}

/// What a format has to say about a target.
#[derive(Default)]
pub(crate) struct Answer {
    /// What could be resolved.
    pub(crate) environments: Vec<ResolvedEnvironment>,
    /// What was found.
    pub(crate) findings: Vec<Finding>,
    /// Whether the target is one of this format's.
    pub(crate) matched: bool,
    /// The names that a target could have had here.
    pub(crate) names: Vec<String>,
}

/// All formats, in the order in which they are asked.
pub(crate) const FORMATS: &[Format] = &[auto::FORMAT];
