//! Who made what: the labels of a run, and whether the process behind them still lives.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{SystemTime, UNIX_EPOCH};

/// On everything made for a run: the run's id.
pub(crate) const RUN: &str = "dev.drydock.run";
/// The process, as `pid.start-time`.
pub(crate) const PROCESS: &str = "dev.drydock.process";
/// The machine's view of processes; ids from elsewhere mean nothing here.
pub(crate) const MACHINE: &str = "dev.drydock.machine";

/// A run whose machine is not this one is taken for dead at this age.
pub(crate) const FOREIGN_RUN_ENDS_AFTER_S: i64 = 24 * 3600;

/// The name of a run and of the process behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The run.
    pub(crate) run: String,
    process: String,
    machine: String,
}

/// Whether the process behind a label lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    Dead,
    /// It belongs to another machine, or the label is not ours.
    Unknown,
}

impl Identity {
    /// A new run of this process.
    pub(crate) fn new() -> Self {
        Self { run: random(), process: this_process(), machine: machine() }
    }

    /// The labels for everything made on the engine.
    pub(crate) fn labels(&self) -> BTreeMap<String, String> {
        let Self { run, process, machine } = self;
        [(RUN, run), (PROCESS, process), (MACHINE, machine)]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .collect()
    }
}

/// Sixteen hexadecimal digits that no other run has.
pub(crate) fn random() -> String {
    // The standard library seeds each of these from the system's random source.
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_u128(since_1970().as_nanos());
    hasher.write_u32(std::process::id());
    format!("{:016x}", hasher.finish())
}

/// `pid.start-time` of this process.
pub(crate) fn this_process() -> String {
    let pid = std::process::id();
    format!("{pid}.{}", started(pid).unwrap_or_default())
}

/// Whether what carries these labels belongs to a living process.
pub(crate) fn life(labels: &BTreeMap<String, String>, created_s: i64) -> Life {
    if labels.get(MACHINE) == Some(&machine()) {
        return labels.get(PROCESS).map_or(Life::Unknown, |process| life_of(process));
    }
    if now_s() - created_s > FOREIGN_RUN_ENDS_AFTER_S { Life::Dead } else { Life::Unknown }
}

/// Whether the process of a `pid.start-time` lives. A pid that was given to another process since
/// has another start time.
pub(crate) fn life_of(process: &str) -> Life {
    let Some((pid, start)) = process.split_once('.') else { return Life::Unknown };
    let Ok(pid) = pid.parse::<u32>() else { return Life::Unknown };
    match started(pid) {
        Some(now) if now == start => Life::Alive,
        _ => Life::Dead,
    }
}

/// When a process started, in the system's own unit; `None` when there is no such process.
fn started(pid: u32) -> Option<String> {
    if let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        // The name in parentheses may hold spaces; the start is the 20th field behind it.
        return stat.rsplit_once(')')?.1.split_whitespace().nth(19).map(str::to_owned);
    }
    if std::path::Path::new("/proc/self").exists() {
        return None;
    }
    let asked = std::process::Command::new("ps")
        .args(["-o", "lstart=", "-p", &pid.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&asked.stdout);
    let digits: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    (!digits.is_empty()).then_some(digits)
}

/// Boot and process namespace: two containers on one machine count their processes apart.
fn machine() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let digits =
        |text: &str| -> String { text.chars().filter(char::is_ascii_alphanumeric).collect() };
    format!("{}.{}", digits(&boot), digits(&space.to_string_lossy()))
}

/// Seconds since 1970.
pub(crate) fn now_s() -> i64 {
    i64::try_from(since_1970().as_secs()).unwrap_or(i64::MAX)
}

fn since_1970() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_living_process_of_this_machine_is_alive() {
        let labels = Identity::new().labels();
        assert_eq!(life(&labels, 0), Life::Alive);
        let with = |name: &str, value: String| {
            let mut other = labels.clone();
            other.insert(name.to_owned(), value);
            other
        };
        let pid = std::process::id();
        assert_eq!(life(&with(PROCESS, format!("{pid}.1")), 0), Life::Dead);
        assert_eq!(life(&with(PROCESS, "4194999.1".to_owned()), 0), Life::Dead);
        assert_eq!(life(&with(PROCESS, "x".to_owned()), 0), Life::Unknown);
        let foreign = with(MACHINE, "elsewhere".to_owned());
        assert_eq!(life(&foreign, 0), Life::Dead);
        assert_eq!(life(&foreign, now_s()), Life::Unknown);
        assert_ne!(random(), random());
    }
}
