//! What was measured, beside what it is held to.

use anyhow::{Result, ensure};

use crate::bench::timer::Times;

/// Prints as it goes, and remembers what was exceeded.
#[derive(Default)]
pub(crate) struct Report {
    exceeded: Vec<String>,
}

impl Report {
    /// A command that must take at most `limit` milliseconds.
    pub(crate) fn absolute(&mut self, times: &Times, limit: f64) {
        println!(
            "{}   at most {limit} ms {}",
            row(times),
            self.judged(times.median <= limit, &times.name)
        );
    }

    /// A command whose time is told, and held to nothing.
    pub(crate) fn told(times: &Times) {
        println!("{}", row(times));
    }

    /// A command that must take at most `limit` of the other's time.
    pub(crate) fn ratio(&mut self, ours: &Times, other: &Times, limit: f64) {
        let ratio = ours.median / other.median;
        let name = format!("{} / {}", ours.name, other.name);
        println!("{}\n{}", row(ours), row(other));
        println!(
            "{:>60}   at most {limit} {}",
            format!("ratio {ratio:.3}"),
            self.judged(ratio <= limit, &name)
        );
    }

    /// Something that was counted and must be at most `limit`.
    pub(crate) fn count(&mut self, name: &str, count: u64, limit: u64, unit: &str) {
        println!(
            "{name:<48} {count:>8} {unit}   at most {limit} {}",
            self.judged(count <= limit, name)
        );
    }

    /// A command that must have at most `limit` MiB of memory.
    pub(crate) fn memory(&mut self, times: &Times, limit: f64) {
        let name = format!("memory of {}", times.name);
        println!(
            "{name:<48} {:>8.1} MiB   at most {limit} MiB {}",
            times.peak,
            self.judged(times.peak <= limit, &name)
        );
    }

    /// An error when something was exceeded.
    pub(crate) fn finish(self) -> Result<()> {
        ensure!(self.exceeded.is_empty(), "over the limit: {}", self.exceeded.join("; "));
        Ok(())
    }

    fn judged(&mut self, kept: bool, name: &str) -> &'static str {
        if kept {
            return "(kept)";
        }
        self.exceeded.push(name.to_owned());
        "(OVER)"
    }
}

fn row(times: &Times) -> String {
    let Times { name, median, fastest, slowest, rounds, .. } = times;
    format!("{name:<48} {median:>8.1} ms  ({fastest:.1} to {slowest:.1}, {rounds} rounds)")
}
