//! How a matrix ends: stopped, out of luck with infrastructure, at the first case that is not as expected.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::run::Fleet;

/// A fleet of one fixture.
fn fleet(fixture: &str, matrix: &str) -> Fleet {
    let fleet = Fleet::new();
    fleet.copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(fixture));
    fleet.matrix(matrix);
    fleet
}

#[test]
fn one_interrupt_ends_all_runs_and_leaves_nothing() {
    let Some(engine) = crate::engine() else { return };
    let base = engine.base("debian");
    let rows: String = ["classic", "buildkit"]
        .map(|builder| {
            format!(
                "[[matrix.case]]\nrepository = \"hanging-step\"\nbuilder = \"{builder}\"\nbase = \"{base}\"\n\
                 expect = \"timed-out\"\n\
                 [[matrix.case]]\nname = \"never begun ({builder})\"\nrepository = \"hanging-step\"\n\
                 builder = \"{builder}\"\nbase = \"{base}\"\nsmoke = [\"true\"]\n"
            )
        })
        .concat();
    let fleet = fleet("hanging-step", &rows);
    let child = fleet.command(&engine, &["--jobs", "2"]).spawn().unwrap();
    let partial = fleet.path().join("run.jsonl.partial");
    let patience = Instant::now();
    // Both hang in the authored step before anybody stops them.
    while std::fs::read_to_string(&partial)
        .unwrap_or_default()
        .matches("\"event\":\"phase-started\",\"phase\":\"authored-step\"")
        .count()
        < 2
    {
        assert!(patience.elapsed() < Duration::from_secs(90), "the steps never began");
        std::thread::sleep(Duration::from_millis(50));
    }
    let stopped = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let ended = fleet.ended(&child.wait_with_output().unwrap());
    assert_eq!(ended.status, Some(130), "{}", ended.stderr);
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
    assert_eq!(ended.of_kind("finished").len(), 1, "the recording is whole");
    assert_eq!(ended.events("run-started").len(), 2, "nothing began after the stop");
    ended.left_nothing(&engine);
}

#[test]
fn infrastructure_is_a_colour_of_its_own() {
    let Some(engine) = crate::engine() else { return };
    // Nobody listens on port 1.
    let fleet = fleet(
        "known-good",
        "[[matrix.case]]\nrepository = \"known-good\"\nbase = \"127.0.0.1:1/debian:bookworm\"\n\
         [[matrix.case]]\nname = \"also\"\nrepository = \"known-good\"\n\
         base = \"127.0.0.1:1/debian:bookworm\"\nsmoke = [\"true\"]\n",
    );
    let ended = fleet.run(&engine, &["--retries", "1"]);
    assert_eq!(ended.status, Some(75), "{}", ended.stderr);
    let standings: Vec<_> =
        ended.of_kind("judged").iter().map(|one| one["judgement"]["standing"].clone()).collect();
    assert_eq!(standings, ["infrastructure", "infrastructure"]);
    assert_eq!(ended.of_kind("attempt").len(), 2, "one retry, and the second case asks no more");
}

#[test]
fn the_first_bad_case_ends_everything_when_asked() {
    let Some(engine) = crate::engine() else { return };
    let musl = engine.base("musl");
    let row = |name: &str, smoke: &str| {
        format!(
            "[[matrix.case]]\nname = \"{name}\"\nrepository = \"alpine\"\nbase = \"{musl}\"\nsmoke = [\"{smoke}\"]\n"
        )
    };
    let fleet = fleet("alpine", &(row("first", "true") + &row("second", "false")));
    let ended = fleet.run(&engine, &["--fail-fast"]);
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    assert_eq!(ended.events("run-started").len(), 1);
    assert_eq!(ended.of_kind("judged").len(), 1);
}
