//! The recording of a `check` or a `matrix`: one JSON record a line, written at once, read back by `replay`.
//!
//! Every report is a function of what a recording holds, so that a report made during the run and
//! one made from the file a week later are the same bytes.

mod case;
mod fold;
mod output;
mod reader;
mod record;
mod recorder;
mod writer;

pub(crate) use case::{Case, Recorded, Span, SpanKey, SpanState};
pub(crate) use fold::Fold;
pub(crate) use output::Output;
pub(crate) use reader::read;
pub(crate) use record::{About, Record, SCHEMA, Start};
pub(crate) use recorder::{Recorder, Tee, broken};
use writer::Writer;
