//! How much of a verdict was seen happening.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a verdict was reached.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// From metadata alone.
    Predicted,
    /// From the image's files, nothing run.
    Read,
    /// The engine ran it.
    Executed,
}
