//! One file a command: lower the flags, ask the crates below, hand the answer to `report`.

pub(crate) mod bake;
pub(crate) mod check;
pub(crate) mod ci;
pub(crate) mod clean;
pub(crate) mod completions;
pub(crate) mod engine;
pub(crate) mod explain;
pub(crate) mod inspect;
pub(crate) mod matrix;
pub(crate) mod plan;
pub(crate) mod replay;
pub(crate) mod schema;
pub(crate) mod triage;
