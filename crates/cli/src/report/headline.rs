//! What a whole run came to, in one line.

use super::text;
use crate::judge::Standing;
use crate::recording::Recorded;

/// `2 of 48 cases are not as expected`; of a `check`, where every environment is expected to pass,
/// `2 of 3 environments failed`.
pub(crate) fn headline(recorded: &Recorded) -> String {
    let checked = recorded.start.command == "check";
    let noun = if checked { "environment" } else { "case" };
    let well = |count| match (checked, count) {
        (true, _) => "passed",
        (false, 1) => "is as expected",
        (false, _) => "are as expected",
    };
    let ill = |count| match (checked, count) {
        (true, _) => "failed",
        (false, 1) => "is not as expected",
        (false, _) => "are not as expected",
    };
    let all = recorded.cases.len();
    let total = text::count(all, noun);
    let bad = recorded.count(Standing::NotAsExpected);
    let unlucky = recorded.count(Standing::Infrastructure);
    let good = recorded.count(Standing::AsExpected);
    let trouble = "met infrastructure trouble";
    let mut line = match (bad, unlucky, good) {
        _ if all == 0 => format!("There was no {noun} to try"),
        (0, 0, 1) if all == 1 => format!("The {noun} {}", well(1)),
        (1, 0, _) if all == 1 => format!("The {noun} {}", ill(1)),
        (0, 1, _) if all == 1 => format!("The {noun} {trouble}"),
        (0, 0, good) if good == all => format!("All {total} {}", well(good)),
        (0, 0, good) => format!("{good} of {total} {}, the rest did not run", well(good)),
        (0, unlucky, _) => format!("{unlucky} of {total} {trouble}"),
        (bad, 0, _) => format!("{bad} of {total} {}", ill(bad)),
        (bad, unlucky, _) => format!("{bad} of {total} {}, {unlucky} {trouble}", ill(bad)),
    };
    if !recorded.complete() {
        line.push_str(" (the recording was cut short)");
    }
    line
}
