//! Definition files to a [`ResolvedEnvironment`] and [`Finding`]s.
//!
//! Pure: files come in through [`Source`], what was found goes out as data. Nothing here knows
//! Docker, a plan, or the terminal.

mod code;
mod excerpt;
mod finding;
mod image_ref;
mod limits;
mod model;
mod name;
mod place;
mod source;
mod text;
mod yaml;

pub use code::{Code, Severity};
pub use excerpt::fill_excerpts;
pub use finding::{Excerpt, Finding, Related};
pub use image_ref::{ImageRef, ImageRefError, ImageRefFault};
pub use model::{
    Account, Accounts, Base, Basis, Body, Cache, Checkout, Compute, Dialect, Network, OnFailure,
    OnMissing, Origin, Persists, Preset, Repeat, ResolvedEnvironment, Reuse, ReuseLayer, Scope,
    SourceFile, Sourced, Stage, StageKind, Trigger, Variable, VariableLayer, VariableValue,
    Workdir,
};
pub use name::{EnvKey, NameError, ResourceName, SecretName, StageId};
pub use place::Place;
pub use source::{MapSource, RepoPath, Source, SourceError};
pub use text::{Text, TextShape};

/// What to resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Every environment of the repository.
    All,
    /// The agent or the environment of this name.
    Name(String),
    /// The agent defined in this file.
    File(RepoPath),
}

/// What [`resolve`] returns: whatever could be resolved, and everything that was found.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    /// One per agent that reaches an environment, in the order of the agents' files.
    pub environments: Vec<ResolvedEnvironment>,
    /// All findings, in the order of file, line and column.
    pub findings: Vec<Finding>,
}

/// Resolves the definitions behind `source`.
///
/// Never stops at the first fault: an environment that has an error is left out of
/// [`Resolution::environments`], and everything found is in [`Resolution::findings`].
#[must_use]
pub fn resolve(_source: &dyn Source, _target: &Target) -> Resolution {
    Resolution::default()
}
