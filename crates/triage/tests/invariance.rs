//! What CI systems, terminals and noise do to a log must not change what it says.

#![expect(clippy::disallowed_methods, reason = "a test reads its cases from files")]

#[expect(dead_code, reason = "each test reads its part of a case")]
#[path = "support/cases.rs"]
mod cases;

use std::fmt::Write as _;

use cases::{Case, Got};
use proptest::prelude::*;

#[test]
fn time_stamps_of_github() {
    each_line(|number, line| {
        format!("2026-07-14T14:{:02}:{:02}.1234567Z {line}", number / 60 % 60, number % 60)
    });
}

#[test]
fn time_stamps_of_jenkins() {
    each_line(|number, line| format!("16:{:02}:{:02}  {line}", number / 60 % 60, number % 60));
}

#[test]
fn time_stamps_in_brackets() {
    each_line(|number, line| {
        format!("[2026-08-17T20:{:02}:{:02}.518Z] {line}", number / 60 % 60, number % 60)
    });
}

#[test]
fn time_stamps_of_gitlab() {
    each_line(|number, line| {
        format!("2026-07-01T12:{:02}:{:02}.123456Z 01O {line}", number / 60 % 60, number % 60)
    });
}

#[test]
fn time_stamps_of_buildkite() {
    each_line(|number, line| format!("\u{1b}_bk;t=16900000{number:05}\u{7}{line}"));
}

#[test]
fn colours_around_each_line() {
    each_line(|_, line| format!("\u{1b}[31m{line}\u{1b}[0m"));
}

#[test]
fn carriage_returns_before_line_ends() {
    each_line(|_, line| format!("{line}\r"));
}

#[test]
fn a_group_around_the_log() {
    same("group", |case| {
        let mut log = b"##[group]Run docker build .\n".to_vec();
        log.extend_from_slice(&case.log);
        log.extend_from_slice(b"\n##[endgroup]\n");
        log
    });
}

#[test]
fn a_section_of_gitlab_around_the_log() {
    same("section", |case| {
        let mut log = b"section_start:1690000000:build\r\x1b[0Kbuild\n".to_vec();
        log.extend_from_slice(&case.log);
        log.extend_from_slice(b"\nsection_end:1690000001:build\r\x1b[0K\n");
        log
    });
}

#[test]
fn noise_before() {
    same("noise before", |case| {
        let mut log = String::new();
        for number in 0..10_000 {
            writeln!(log, "{}", noise(number)).unwrap();
        }
        let mut log = log.into_bytes();
        log.extend_from_slice(&case.log);
        log
    });
}

#[test]
fn noise_between() {
    same("noise between", |case| {
        let lines = lines(&case.log);
        let each = 10_000 / lines.len().max(1);
        let mut log = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            log.extend_from_slice(line);
            log.push(b'\n');
            // Behind the last line nothing is between.
            for other in 0..if number + 1 < lines.len() { each } else { 0 } {
                log.extend_from_slice(noise(number * each + other).as_bytes());
                log.push(b'\n');
            }
        }
        log
    });
}

#[test]
fn another_build_that_passed_before() {
    let passing: [&[u8]; 3] = [
        b"Sending build context to Docker daemon  2.048kB\nStep 1/2 : FROM debian:12\n ---> 0a1b2c3d4e5f\nStep 2/2 : RUN true\n ---> Running in 5f0c6a1d9f0b\nRemoving intermediate container 5f0c6a1d9f0b\n ---> 1a2b3c4d5e6f\nSuccessfully built 1a2b3c4d5e6f\nSuccessfully tagged other:latest\n",
        b"#0 building with \"default\" instance using docker driver\n\n#1 [internal] load build definition from Dockerfile\n#1 DONE 0.0s\n\n#4 [1/2] FROM docker.io/library/debian:12\n#4 CACHED\n\n#5 [2/2] RUN true\n#5 0.101 hello\n#5 DONE 0.3s\n\n#6 exporting to image\n#6 exporting layers 0.1s done\n#6 writing image sha256:0a1b done\n#6 DONE 0.1s\n",
        b"STEP 1/2: FROM debian:12\nSTEP 2/2: RUN true\n--> 0a1b2c3d4e5f\nCOMMIT other\nSuccessfully tagged localhost/other:latest\n0a1b2c3d4e5f\n",
    ];
    for first in passing {
        same("a build that passed before", |case| {
            let mut log = first.to_vec();
            log.extend_from_slice(&case.log);
            log
        });
    }
}

#[test]
fn no_line_end_at_the_end() {
    same("cut after the last line", |case| {
        let end = case.log.iter().rposition(|byte| *byte != b'\n').map_or(0, |at| at + 1);
        case.log[..end].to_vec()
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However the bytes are cut into pieces, the verdict is the same.
    #[test]
    fn pieces_make_no_difference(which in any::<prop::sample::Index>(), size in 1_usize..400) {
        let cases = all();
        let case = which.get(&cases);
        let mut reader = triage::LogReader::new();
        for piece in case.log.chunks(size) {
            reader.feed(piece);
        }
        let mut whole = triage::LogReader::new();
        whole.feed(&case.log);
        prop_assert_eq!(reader.finish(), whole.finish());
    }

    /// Any bytes give an answer.
    #[test]
    fn any_bytes_give_an_answer(which in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(), garbage in prop::collection::vec(any::<u8>(), 0..64)) {
        let cases = all();
        let mut log = which.get(&cases).log.clone();
        let at = from.index(log.len());
        log.splice(at..at, garbage);
        let mut reader = triage::LogReader::new();
        reader.feed(&log);
        let _ = reader.finish();
    }
}

/// A line of a log in which nothing is wrong.
fn noise(number: usize) -> String {
    match number % 5 {
        0 => format!("fetching object {number} of 123456"),
        1 => format!("Unpacking libfoo{number}:amd64 (1.2.{number}-1) ..."),
        2 => format!("  compiling module_{number}.c"),
        3 => format!("0 errors, 0 warnings in pass {number}"),
        _ => format!("[{number}] all good"),
    }
}

fn all() -> Vec<Case> {
    let mut cases = cases::read("triage");
    cases.extend(cases::read("triage-more"));
    cases
}

fn lines(log: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = log.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

fn each_line(change: impl Fn(usize, &str) -> String) {
    same("each line", |case| {
        let mut log = Vec::new();
        for (number, line) in lines(&case.log).iter().enumerate() {
            log.extend_from_slice(change(number, &String::from_utf8_lossy(line)).as_bytes());
            log.push(b'\n');
        }
        log
    });
}

fn same(what: &str, change: impl Fn(&Case) -> Vec<u8>) {
    let mut wrong = Vec::new();
    let cases = all();
    for case in &cases {
        let (before, after) = (Got::of(&case.log), Got::of(&change(case)));
        if before != after {
            wrong.push(format!("{}:\n  before {before:?}\n  after  {after:?}", case.id));
        }
    }
    assert!(
        wrong.is_empty(),
        "{what} changes {} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}
