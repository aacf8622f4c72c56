//! Live tests: the `drydock` binary against a real engine, one test for each fixture and builder.
//!
//! They need the variables that `cargo xtask env` prints. Without them they are shown as ignored; with
//! `DRYDOCK_LIVE=required` they fail.

#![expect(clippy::print_stderr, reason = "a test without its engine says why it proves nothing")]

mod drydock;
mod engine;
mod fixture;
mod stop;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::engine::Engine;
use crate::fixture::Fixture;

const BUILDERS: [&str; 2] = ["classic", "buildkit"];

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // A hanging fixture waits, and does not work: a few at once cost little. Many would starve the time-outs.
    arguments.test_threads = arguments.test_threads.or(Some(3));
    let engine = match Engine::from_environment() {
        Ok(engine) => Some(engine),
        Err(missing) if std::env::var("DRYDOCK_LIVE").is_ok_and(|live| live == "required") => {
            eprintln!("live tests are required, but {missing} is not set: run `cargo xtask test`");
            return ExitCode::FAILURE;
        }
        Err(missing) => {
            eprintln!("live tests are skipped: {missing} is not set (see `cargo xtask env`)");
            None
        }
    };
    let trials: Vec<Trial> = trials(engine.as_ref())
        .into_iter()
        .map(|trial| trial.with_ignored_flag(engine.is_none()))
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trials(engine: Option<&Engine>) -> Vec<Trial> {
    let fixtures = match fixture::all() {
        Ok(fixtures) => fixtures,
        Err(reason) => return vec![Trial::test("fixtures", move || Err(Failed::from(reason)))],
    };
    let on_fixture = |fixture: &Fixture, builder: &'static str| {
        let (fixture, engine) = (fixture.clone(), engine.cloned());
        Trial::test(format!("{}::{builder}", fixture.name), move || {
            live(engine.as_ref(), |engine| fixture.check(engine, builder))
        })
    };
    let stops = stop::TESTS.iter().flat_map(|(name, test)| {
        BUILDERS.map(|builder| {
            let engine = engine.cloned();
            Trial::test(format!("{name}::{builder}"), move || {
                live(engine.as_ref(), |engine| test(engine, builder))
            })
        })
    });
    fixtures
        .iter()
        .flat_map(|fixture| BUILDERS.map(|builder| on_fixture(fixture, builder)))
        .chain(stops)
        .collect()
}

fn live(
    engine: Option<&Engine>,
    test: impl FnOnce(&Engine) -> Result<(), String>,
) -> Result<(), Failed> {
    let engine = engine.ok_or("there is no engine to test with")?;
    test(engine).map_err(Failed::from)
}
