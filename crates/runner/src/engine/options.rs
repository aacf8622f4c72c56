//! What decides which engine is used, and which of its builders.

use endpoint::Search;

/// Which engine, and which of its builders.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// The engine.
    pub search: Search,
    /// The builder.
    pub builder: BuilderChoice,
}

/// Which builder is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BuilderChoice {
    /// BuildKit where the engine prefers it, the classic builder otherwise.
    #[default]
    Auto,
    /// The classic builder.
    Classic,
    /// BuildKit.
    Buildkit,
}
