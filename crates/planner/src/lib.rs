//! A resolved environment to a [`Plan`], a plan to a Dockerfile.
//!
//! Pure and total: equal input gives equal bytes. Nothing here knows an engine.

mod assemble;
mod digest;
pub mod dockerfile;
mod fidelity;
mod found;
mod model;
mod not_proven;
mod plan;
mod platform;
mod quote;
mod render;
mod script;
mod session;
mod shell;
mod snapshot;
mod steps;
pub mod view;

pub use model::{
    BaseImage, CheckoutPath, Instruction, InstructionKind, NotProven, Package, Plan, Session,
    SnapshotKey, SnapshotPart, Variable,
};

/// A place in a definition file, as instructions carry it.
pub use environment::Place;
use environment::{Finding, ResolvedEnvironment};

/// What [`plan`] returns.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan. It exists even when a finding is an error, so that it can be shown.
    pub plan: Plan,
    /// What was found on the way: steps that cannot be taken over, and where the platform differs.
    pub findings: Vec<Finding>,
}

/// Plans an environment. `repository` is `owner/name` of the repository at hand, where it is known:
/// the checkout of that name is the one that the build context fills (else the first).
#[must_use]
pub fn plan(environment: &ResolvedEnvironment, repository: Option<&str>) -> Planned {
    plan::plan(environment, repository)
}

/// What stands in front of the checkout's files in the build context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextRoot {
    /// The context *is* the checkout, as in the published recipe.
    Checkout,
    /// The checkout is the folder `checkout/` of the context, so that neither the Dockerfile nor a
    /// `.dockerignore` of the repository can be mistaken for the builder's own.
    Nested,
}

/// Writes the Dockerfile. Line numbers are the same for both roots.
#[must_use]
pub fn render(plan: &Plan, root: ContextRoot) -> String {
    render::render(plan, root)
}
