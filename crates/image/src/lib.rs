//! Reads an image's facts without running it, and says what the contract's probe would say.
//!
//! Nothing is unpacked to disk, nothing of the image is run, and memory stays bounded whatever the
//! image holds (see `limits`). What is read here are files; [`contract::judge`] does the thinking.

mod blob;
mod content;
mod engine;
mod failure;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod inspection;
mod kept;
mod layer;
mod limits;
mod reading;
mod reference;
mod registry;
mod source;
mod stack;
mod wanted;

pub use failure::{ReadCode, ReadFailure, ReadOwner, ReadRetry};
pub use inspection::{Engine, Inspection, Options, Origin, Places, inspect};
pub use kept::forget;
pub use reading::{Depth, Reading};
pub use registry::Patience;
