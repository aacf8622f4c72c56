//! Where the engine is, and how it is spoken to: HTTP over a Unix socket, TCP, TLS or ssh.
//!
//! Who uses an engine gets a [`Client`], and need not know which of these it is. Nothing here knows
//! what the engine is asked for.

mod address;
mod candidates;
mod client;
mod context_store;
mod environment;
mod find;
mod ping;
mod ssh;
mod stream;
mod tls;
mod way;
mod words;

pub use client::{Body, Client};
pub use environment::{EngineEnvironment, Search};
pub use find::{NoEngine, Reached, Tried, find};
pub use hyper_util::client::legacy::Error;
pub use ping::Ping;
pub use words::{all_causes, in_words, is_lost};
