//! What a log says, in words.

use std::fmt::Write as _;

use triage::{LogVerdict, Verdict};

use super::{failure, style};

/// The verdict on a log: what failed, where, whose it is, and what next.
pub(crate) fn words(read: &LogVerdict) -> String {
    let LogVerdict { schema: _, verdict: end, failure, lines } = read;
    let (good, bad, warning) = (style::GOOD, style::ERROR, style::WARNING);
    let faint = style::FAINT;
    let mut words = match end {
        Verdict::Passed => format!("{good}PASSED{good:#}"),
        Verdict::Failed => format!("{bad}FAILED{bad:#}"),
        Verdict::Inconclusive => format!("{warning}INCONCLUSIVE{warning:#}"),
    };
    if let Some(failure) = failure {
        let _ = write!(words, "  {}", failure.code.name());
    }
    let _ = writeln!(words, "  {faint}{lines} lines{faint:#}");
    let Some(failure) = failure else {
        if *end == Verdict::Inconclusive {
            words.push_str(
                "  the log neither ends well nor shows a failure: it is cut, or not a build's\n",
            );
        }
        return words;
    };
    words.push_str(&failure::words(failure, &[]));
    words
}
