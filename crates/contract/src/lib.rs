//! `debian-contract-v0` as data.
//!
//! The probe's bytes, its five checks in the order in which it asks them, the marker line of each,
//! and how a marker is told from its many echoes. Nothing here does I/O or knows another crate of ours.

mod check;
mod facts;
mod files;
mod forecast;
mod judge;
mod level;
mod marker;
mod verdict;

pub use check::Check;
pub use facts::{
    Content, DEFAULT_PATH, Elf, ImageConfig, ImageFacts, Machine, Node, Platform, Program,
    VersionNeed,
};
pub use forecast::{Accounts, Forecast, LostPath, Note, NoteCode, OsRelease, Weight, forecast};
pub use judge::judge;
pub use level::Level;
pub use marker::Marker;
pub use verdict::{Answer, CheckAnswer, CheckResult, ContractVerdict, Silence};

/// The contract's name as the probe prints it.
pub const NAME: &str = "debian-contract-v0";

/// The probe: one `RUN` instruction with its newline, byte for byte as published.
pub const PROBE: &str = include_str!("../../../probe/debian-contract-v0.dockerfile");

/// The SHA-256 of [`PROBE`], in hexadecimal. A test holds the file to it.
pub const PROBE_SHA256: &str = "b42fef12e29b71cf07e9b5167ae4ab4de46172f31cf964b5c737dfd5836048b2";
