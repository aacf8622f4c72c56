//! What was seen to what is told: triage decides, the runner adds what only it knows.

use triage::{EngineError, Failure, Observed, Phase};

/// What silence during a download most often means.
const SILENCE: &str = "a download that stops without an error is most often a path with a smaller \
     MTU than the engine's bridge (VPN, cloud network): start the engine with `--mtu` of the \
     uplink, or check the proxy settings inside the build";

/// The failure that was seen.
pub(crate) fn of(observed: &Observed) -> Failure {
    let mut failure = triage::classify(observed);
    if matches!(observed.error, EngineError::TimedOut { silent: true, .. })
        && observed.phase != Phase::Smoke
    {
        let hint = failure.hint.take().map(|hint| format!("{hint}; ")).unwrap_or_default();
        failure.hint = Some(format!("{hint}{SILENCE}"));
    }
    failure
}
