//! `drydock matrix` on a real engine: the fixtures' matrix, and that equal work is done once.
//!
//! It needs the variables that `cargo xtask env` prints. Without them the tests say so and prove
//! nothing; with `DRYDOCK_LIVE=required` they fail.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]
#![expect(clippy::print_stderr, reason = "a test without its engine says why it proves nothing")]

#[path = "../support/commit.rs"]
mod commit;
mod ends;
#[path = "../live/engine.rs"]
mod engine;
mod fixtures;
mod once;
mod proxy;
mod run;

use engine::Engine;

/// The test engine, where there is one.
fn engine() -> Option<Engine> {
    match Engine::from_environment() {
        Ok(engine) => Some(engine),
        Err(missing) => {
            let required = std::env::var("DRYDOCK_LIVE").is_ok_and(|live| live == "required");
            assert!(!required, "{missing} is not set: run `cargo xtask test`");
            eprintln!("skipped: {missing} is not set (see `cargo xtask env`)");
            None
        }
    }
}
