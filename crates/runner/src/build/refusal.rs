//! Where and why a builder refused, put together from its updates and its closing words.

use triage::{EngineError, Observed, Phase};

use super::tracker::Tracker;
use crate::StepId;

/// What the updates tell about a failed build.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusal {
    /// The step that failed.
    pub(crate) step: Option<StepId>,
    /// The phase, where it was none of the steps.
    pub(crate) phase: Option<Phase>,
    /// The builder's words about that step; the closing words otherwise.
    pub(crate) message: Option<String>,
}

impl Refusal {
    /// With the closing words of the stream.
    pub(crate) fn observed(self, closing: String, tracker: &Tracker) -> Observed {
        let step = self.step.or_else(|| tracker.at_line(dockerfile_line(&closing)?));
        let message = self.message.unwrap_or(closing);
        let phase = self.phase.or_else(|| step.map(|step| tracker.phase(step)));
        let error = match exit_code(&message) {
            Some(code) => EngineError::Exit { code, oom_killed: false },
            None => EngineError::Stream { message },
        };
        Observed {
            phase: phase.unwrap_or(Phase::PreBuild),
            error,
            step: step.map(|step| tracker.failed_step(step)),
        }
    }
}

/// The exit code at the end of a builder's words: `…: exit code: 7` (BuildKit, old and new),
/// `… returned a non-zero code: 7` (classic), `… while running runtime: exit status 7` (Podman).
fn exit_code(message: &str) -> Option<i64> {
    let message = message.trim_end();
    let (words, code) = message.rsplit_once(": ")?;
    if let Some(code) = code.strip_prefix("exit status ") {
        return words.ends_with("while running runtime").then(|| code.parse().ok()).flatten();
    }
    let known = words.ends_with("exit code") || words.ends_with("returned a non-zero code");
    known.then(|| code.parse().ok()).flatten()
}

/// `dockerfile parse error line 9: …` (BuildKit 0.8), `… on line 9: …` (newer).
fn dockerfile_line(message: &str) -> Option<u32> {
    let (_, rest) = message.split_once("parse error")?;
    let (_, rest) = rest.split_once("line ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_read_from_the_end_of_the_builders_words() {
        for (message, expected) in [
            ("executor failed running [/bin/sh -c exit 7]: exit code: 7", Some(7)),
            ("process \"/bin/sh -c x\" did not complete successfully: exit code: 137", Some(137)),
            ("The command '/bin/sh -c exit 7' returned a non-zero code: 7\n", Some(7)),
            (
                "executor failed running [/bin/sh -c exit 7]: runc did not terminate sucessfully",
                None,
            ),
            ("process \"/bin/sh -c echo exit code: 7\" was cancelled", None),
            ("no such thing: 7", None),
            ("building at STEP \"RUN x\": while running runtime: exit status 7\n", Some(7)),
            ("while reading: exit status 7", None),
        ] {
            assert_eq!(exit_code(message), expected, "{message}");
        }
    }

    #[test]
    fn a_parse_error_names_its_line() {
        for (message, expected) in [
            ("dockerfile parse error line 9: unknown instruction: FOO", Some(9)),
            ("failed to solve: dockerfile parse error on line 12: x", Some(12)),
            ("line 9 of the output", None),
        ] {
            assert_eq!(dockerfile_line(message), expected, "{message}");
        }
    }
}
