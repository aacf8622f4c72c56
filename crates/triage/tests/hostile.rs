//! Logs that are made to take time or memory end in an answer all the same.

#![expect(clippy::disallowed_methods, reason = "a test measures time")]

use std::time::{Duration, Instant};

use triage::LogReader;

/// A build without optimisation on a busy machine is some fifty times slower than the product.
const LONGEST: Duration = Duration::from_secs(60);

#[test]
fn a_line_full_of_words_that_rows_look_for() {
    let words =
        "version `GLIBC_ E: Failed to fetch  50 npm ERR! code E404 unable to execute ' .go: ";
    let line = words.repeat(4096) + "\n";
    answers(&line.repeat(8));
}

#[test]
fn closing_errors_that_never_end() {
    answers(&"The command '/bin/sh -c a\n]: b\nStep 1/2 : FROM x\n".repeat(40_000));
}

#[test]
fn more_steps_than_a_build_can_have() {
    let mut log = String::new();
    for number in 1..60_000 {
        log.push_str(&format!("#{number} [2/3] RUN step {number}\n#{number} 0.1 Killed\n"));
    }
    answers(&log);
}

#[test]
fn a_line_without_an_end() {
    answers(&"x".repeat(4 * 1024 * 1024));
}

#[test]
fn json_that_is_nested_deeper_than_any_stream() {
    answers(&("{\"aux\":".repeat(20_000) + "\n" + &"[".repeat(20_000)));
}

fn answers(log: &str) {
    let start = Instant::now();
    let mut reader = LogReader::new();
    for piece in log.as_bytes().chunks(64 * 1024) {
        reader.feed(piece);
    }
    let _ = reader.finish();
    assert!(start.elapsed() < LONGEST, "took {:?}", start.elapsed());
}
