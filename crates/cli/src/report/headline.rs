//! What a whole run came to, in one line.

use super::text;
use crate::judge::Standing;
use crate::recording::Recorded;

/// `2 of 48 cases are not as expected`.
pub(crate) fn headline(recorded: &Recorded) -> String {
    let all = recorded.cases.len();
    let cases = text::count(all, "case");
    let bad = recorded.count(Standing::NotAsExpected);
    let unlucky = recorded.count(Standing::Infrastructure);
    let good = recorded.count(Standing::AsExpected);
    let mut line = match (bad, unlucky, good) {
        _ if all == 0 => "There was no case to try".to_owned(),
        (0, 0, good) if good == all && all == 1 => "The case is as expected".to_owned(),
        (0, 0, good) if good == all => format!("All {cases} are as expected"),
        (0, 0, good) => format!("{good} of {cases} are as expected, the rest did not run"),
        (0, unlucky, _) => format!("{unlucky} of {cases} met infrastructure trouble"),
        (bad, 0, _) => format!("{bad} of {cases} {} not as expected", is(bad)),
        (bad, unlucky, _) => format!(
            "{bad} of {cases} {} not as expected, {unlucky} met infrastructure trouble",
            is(bad)
        ),
    };
    if !recorded.complete() {
        line.push_str(" (the recording was cut short)");
    }
    line
}

const fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
