//! How logs say that a failure is not the end: the same is tried again, or it does not matter.

/// Whether a line announces that the same will be tried again.
pub(super) fn tries_again(text: &str) -> bool {
    // An engine's count-down for one layer is part of the same try.
    if text.contains("Retrying in ") && text.contains(": Retrying in ") {
        return false;
    }
    text.contains("back off ") && text.contains("before retry")
        || text.contains("Retrying") && !text.contains("Retrying (Retry(")
        || ["will retry", "will be retried", ", retrying", "rying again", "try again in "]
            .iter()
            .any(|words| text.contains(words))
        || text.contains("Attempt ") && text.contains(" failed")
        || counts_tries(text)
}

/// `attempt 2 of 3`, `Attempt 2/3`, `retry #2`, `(2/3)` behind the word retry or attempt.
fn counts_tries(text: &str) -> bool {
    ["ttempt ", "ttempt #", "etry ", "etry #", "etry: ", "ries left", "rial "]
        .iter()
        .filter_map(|word| text.split_once(word))
        .any(|(before, rest)| {
            let number =
                rest.trim_start_matches('#').bytes().take_while(u8::is_ascii_digit).count();
            number > 0 && rest.len() < 60
                || before.trim_end().ends_with(|c: char| c.is_ascii_digit())
        })
}

/// Whether a line behind a failure says that it does not matter.
pub(super) fn waives(text: &str) -> bool {
    const LONGEST: usize = 200;
    /// What scripts, Make, CI systems and package managers say of a failure that they take in their stride.
    const WORDS: [&str; 21] = [
        "as expected",
        "expected failure",
        "expected to fail",
        "allowed to fail",
        "allow_failure",
        "ignoring",
        "ignored",
        "continuing",
        "but continue",
        "carrying on",
        "going on",
        "is optional",
        "non-fatal",
        "nonfatal",
        "not fatal",
        "falling back",
        "fallback",
        "soft fail",
        "skipping",
        "best effort",
        "logging in again",
    ];
    if text.len() > LONGEST {
        return false;
    }
    let text = text.to_ascii_lowercase();
    WORDS.iter().any(|words| text.contains(words)) && !text.contains("not ignored")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_try_is_told_from_a_last_word() {
        for (text, again) in [
            ("push failed, sleeping 10s before attempt 2 of 3", true),
            ("build failed, trying again in 30 seconds (2/3)", true),
            (
                "##[warning]Docker pull failed with exit code 1, back off 2.3 seconds before retry.",
                true,
            ),
            ("Warning: Push failed, retrying in 5s ...", true),
            ("Attempt 2", true),
            ("retry 1: ./gradlew build", true),
            ("The command \"docker pull x\" failed. Retrying, 2 of 3.", true),
            ("fc0452fbd934: Retrying in 8 seconds", false),
            ("WARNING: Retrying (Retry(total=4, connect=None)) after connection broken", false),
            ("push failed after 3 attempts", false),
            ("all retries failed", false),
            ("unauthorized: authentication required", false),
        ] {
            assert_eq!(tries_again(text), again, "{text}");
        }
    }

    #[test]
    fn what_does_not_matter_is_told() {
        assert!(waives("docs image is optional, continuing"));
        assert!(waives("ok: build of tests/bad.Dockerfile failed as expected"));
        assert!(waives("mirror is down, falling back to the registry"));
        assert!(!waives("denied: requested access to the resource is denied"));
    }
}
