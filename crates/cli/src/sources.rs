//! The two real [`environment::Source`]s: a working tree and a commit.

mod commit;
mod working_tree;

pub(crate) use commit::CommitSource;
pub(crate) use working_tree::WorkingTree;
