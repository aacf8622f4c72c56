//! The published pages that a documented default names.

/// The exhaustive reference of the environment's fields.
pub(super) const REFERENCE: &str = "auto reference, \"Environments\"";
/// The recipe for a local preflight.
pub(super) const PREFLIGHT: &str = "auto guide, \"Validate an Environment Image\"";
