//! Live tests: the `drydock` binary against a real engine, one test for each fixture and builder.
//!
//! They need the variables that `cargo xtask env` prints. Without them they are shown as ignored; with
//! `DRYDOCK_LIVE=required` they fail.

#![expect(clippy::print_stderr, reason = "a test without its engine says why it proves nothing")]

#[path = "../support/commit.rs"]
mod commit;
mod drydock;
mod engine;
mod far;
mod fixture;
mod stop;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::engine::Engine;
use crate::fixture::Base;

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
    libtest_mimic::run(&arguments, trials(engine.as_ref())).exit_code()
}

fn trials(engine: Option<&Engine>) -> Vec<Trial> {
    let fixtures = match fixture::all() {
        Ok(fixtures) => fixtures,
        Err(reason) => return vec![Trial::test("fixtures", move || Err(Failed::from(reason)))],
    };
    let mut trials = Vec::new();
    for builder in BUILDERS {
        for fixture in &fixtures {
            let (name, fixture) = (fixture.name.clone(), fixture.clone());
            if fixture.base_decides() {
                let (leg, fixture) = (format!("{name}::read"), fixture.clone());
                trials.push(live(&leg, builder, engine, move |engine| {
                    fixture.check(engine, builder, Base::ReadFirst)
                }));
            }
            trials.push(live(&name, builder, engine, move |engine| {
                fixture.check(engine, builder, Base::Built)
            }));
        }
        for (name, test) in stop::TESTS {
            trials.push(live(name, builder, engine, move |engine| test(engine, builder)));
        }
        trials.push(live("ssh::cut-off", builder, engine, move |engine| far::cut(engine, builder)));
        for (way, kind) in far::WAYS {
            for (name, base) in far::FIXTURES {
                let leg = format!(
                    "{way}::{name}::{}",
                    if base == Base::Built { "built" } else { "read" }
                );
                trials.push(live(&leg, builder, engine, move |engine| {
                    far::check(kind, engine, name, builder, base)
                }));
            }
            for (name, test) in stop::FROM_AFAR {
                trials.push(live(&format!("{way}::{name}"), builder, engine, move |engine| {
                    far::stop(kind, engine, test, builder)
                }));
            }
        }
    }
    for (name, test) in far::TESTS {
        trials.push(live(name, "any", engine, test));
    }
    trials
}

/// A test that is ignored where there is no engine.
fn live(
    name: &str,
    builder: &str,
    engine: Option<&Engine>,
    test: impl FnOnce(&Engine) -> Result<(), String> + Send + 'static,
) -> Trial {
    let engine = engine.cloned();
    let ignored = engine.is_none();
    Trial::test(format!("{name}::{builder}"), move || {
        let engine = engine.ok_or("there is no engine to test with")?;
        test(&engine).map_err(Failed::from)
    })
    .with_ignored_flag(ignored)
}
