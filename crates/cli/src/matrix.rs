//! The matrix: cases that must each end as expected, and equal work done once.
//!
//! `expand` turns rows into cases, `select` takes some of them, `units` puts together what would be
//! the same run, `run` tries the units side by side.

mod case;
mod expand;
mod gate;
mod run;
mod select;
mod subject;
mod told;
mod units;

pub(crate) use case::Case;
pub(crate) use expand::{Options, expand};
pub(crate) use run::{Tries, run};
pub(crate) use select::{Selection, Shard};
pub(crate) use subject::Reading;
pub(crate) use told::{announce, start};
