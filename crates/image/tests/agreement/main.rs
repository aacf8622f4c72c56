//! The static verdict against the real probe: one image for each case, read in three ways and built on both builders.
//!
//! `DRYDOCK_TEST_ENGINE`, `DRYDOCK_TEST_BASE` and `DRYDOCK_TEST_MUSL_BASE` name an engine and the two
//! bases that the cases are made from. Without them the cases are shown as ignored; with
//! `DRYDOCK_LIVE=required` they fail.

#![expect(clippy::print_stderr, reason = "a test without its engine says why it proves nothing")]

mod base;
mod case;
mod engine;
mod pack;
mod packages;
mod relay;

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::case::{Base, Case, Said};
use crate::engine::Engine;
use crate::pack::Workshop;

/// Fewer cases than this prove too little.
const LEAST: usize = 24;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = arguments.test_threads.or(Some(2));
    let cases = match Case::all() {
        Ok(cases) if cases.len() >= LEAST => cases,
        Ok(cases) => {
            eprintln!("{} cases are too few", cases.len());
            return ExitCode::FAILURE;
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let set_up = Engine::from_environment().map(Arc::new);
    let listing = arguments.list;
    let workshop = match set_up {
        Ok(engine) if !listing => match Workshop::open(&engine) {
            Ok(workshop) => Some((engine, Arc::new(workshop))),
            Err(error) => {
                eprintln!("the bases cannot be taken from the engine: {error}");
                return ExitCode::FAILURE;
            }
        },
        Ok(_) => None,
        Err(missing) if std::env::var("DRYDOCK_LIVE").is_ok_and(|live| live == "required") => {
            eprintln!("live tests are required, but {missing} is not set: run `cargo xtask test`");
            return ExitCode::FAILURE;
        }
        Err(missing) => {
            eprintln!("live tests are skipped: {missing} is not set (see `cargo xtask env`)");
            None
        }
    };
    let trial = |case: Case| {
        let workshop = workshop.clone();
        let ignored = !workshop.as_ref().is_some_and(|(_, workshop)| workshop.can_make(&case));
        Trial::test(case.name.clone(), move || {
            let (engine, workshop) = workshop.ok_or("there is no engine to test with")?;
            check(&case, &engine, &workshop).map_err(Failed::from)
        })
        .with_ignored_flag(ignored)
    };
    let conclusion = libtest_mimic::run(&arguments, cases.into_iter().map(trial).collect());
    if let Some((engine, workshop)) = &workshop {
        engine.remove(&workshop.bases());
    }
    conclusion.exit_code()
}

/// Makes the case's image, reads it in three ways, and runs the probe on both builders.
fn check(case: &Case, engine: &Engine, workshop: &Workshop) -> Result<(), String> {
    let made = workshop.make(case)?;
    engine.load(&made.archive)?;
    let name = format!("engine:{}", made.name);
    let result = (|| {
        let read = engine.inspect(&name)?;
        let layout = engine.inspect(&format!("oci:{}", made.layout.path().display()))?;
        let kept = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut by_api = engine.inspect_by_api(&name, kept.path())?;
        let again = engine.inspect_by_api(&name, kept.path())?;
        if again.facts != by_api.facts || again.reading.passes != 0 {
            return Err(format!("what was kept is not what was read: {:?}", again.reading));
        }
        if case.base == Base::Empty {
            // Into a container without `/etc` the engine puts one; then the words may differ.
            let said = Said::of(&by_api.verdict.answer);
            if said == Said::of(&read.verdict.answer) {
                by_api.verdict = read.verdict.clone();
            }
        }
        for (what, other) in [("in its OCI layout", layout), ("through the API", by_api)] {
            if (&read.verdict, &read.forecast) != (&other.verdict, &other.forecast) {
                return Err(format!(
                    "the image is read differently on the engine's disk and {what}:\n{:#?}\n{:#?}",
                    (&read.verdict, &read.forecast),
                    (&other.verdict, &other.forecast)
                ));
            }
        }
        let classic = read.verdict.classic.as_ref().unwrap_or(&read.verdict.answer);
        for (builder, answer, expected) in [
            (engine::Builder::Buildkit, &read.verdict.answer, case.expect),
            (engine::Builder::Classic, classic, case.classic.unwrap_or(case.expect)),
        ] {
            let read = Said::of(answer);
            let (executed, log) = engine.probe(&made.name, builder)?;
            if read != Some(executed) || executed != expected {
                return Err(format!(
                    "{builder:?}: read {read:?} ({answer:?}), executed {executed:?}, \
                     the case expects {expected:?}\n{log}"
                ));
            }
        }
        Ok(())
    })();
    engine.remove(&[made.name]);
    result
}
