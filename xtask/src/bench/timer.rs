//! Times whole processes in turn (A B C A B C …), so that what disturbs the machine disturbs all of them.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use wait4::Wait4;

use crate::paths;

/// A command that is timed.
pub(crate) struct Contestant {
    name: String,
    command: Command,
}

impl Contestant {
    /// `command` under a name for the report. Its output goes to a file, as a script's would.
    pub(crate) fn new(name: impl Into<String>, command: Command) -> Self {
        Self { name: name.into(), command }
    }

    /// Runs it once, and gives its output. Nothing is timed.
    pub(crate) fn output(&mut self) -> Result<String> {
        self.run()?;
        Ok(std::fs::read_to_string(paths::cache().join("bench/output.log"))?)
    }

    /// How long it took, and the bytes of memory that it had at most.
    fn run(&mut self) -> Result<(Duration, u64)> {
        let log = paths::cache().join("bench/output.log");
        let file = File::create(&log)?;
        self.command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let before = Instant::now();
        let start = || format!("{} does not start", self.name);
        let ended = self.command.spawn().with_context(start)?.wait4()?;
        let took = before.elapsed();
        if !ended.status.success() {
            let output = std::fs::read_to_string(log).unwrap_or_default();
            bail!("{}: {}\n{output}", self.name, ended.status);
        }
        Ok((took, ended.rusage.maxrss))
    }
}

/// What was measured of one command.
pub(crate) struct Times {
    /// The contestant's name.
    pub(crate) name: String,
    /// Milliseconds.
    pub(crate) median: f64,
    /// Milliseconds.
    pub(crate) fastest: f64,
    /// Milliseconds.
    pub(crate) slowest: f64,
    /// How often it ran.
    pub(crate) rounds: usize,
    /// MiB of memory that it had at most, in the round that took most.
    pub(crate) peak: f64,
}

/// Runs all contestants `rounds` times in turn, after one round that fills caches and is not counted.
pub(crate) fn race(rounds: usize, contestants: &mut [Contestant]) -> Result<Vec<Times>> {
    let mut taken = vec![Vec::with_capacity(rounds); contestants.len()];
    let mut peaks = vec![0; contestants.len()];
    for round in 0..=rounds {
        for ((contestant, taken), peak) in contestants.iter_mut().zip(&mut taken).zip(&mut peaks) {
            let (took, memory) = contestant.run()?;
            *peak = memory.max(*peak);
            if round > 0 {
                taken.push(took.as_secs_f64() * 1_000.0);
            }
        }
    }
    Ok(contestants
        .iter()
        .zip(taken)
        .zip(peaks)
        .map(|((contestant, taken), peak)| times(contestant.name.clone(), taken, peak))
        .collect())
}

fn times(name: String, mut taken: Vec<f64>, peak: u64) -> Times {
    taken.sort_by(f64::total_cmp);
    let rounds = taken.len();
    let median = (taken[(rounds - 1) / 2] + taken[rounds / 2]) / 2.0;
    let peak = peak as f64 / (1024.0 * 1024.0);
    Times { name, median, fastest: taken[0], slowest: taken[rounds - 1], rounds, peak }
}

#[cfg(test)]
mod tests {
    use super::times;

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(times(String::new(), vec![3.0, 1.0, 2.0], 0).median, 2.0);
        assert_eq!(times(String::new(), vec![4.0, 1.0, 2.0, 3.0], 0).median, 2.5);
    }
}
