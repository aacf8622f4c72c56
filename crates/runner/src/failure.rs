//! What was seen to what is told: triage decides, the runner adds what only it knows.

use planner::Place;
use triage::{Code, EngineError, Failure, Observed, Owner, Phase, SourcePlace};

use crate::CheckRequest;

/// What silence during a download most often means.
const SILENCE: &str = "A download that stops without an error is most often a path with a smaller \
     MTU than the engine's bridge (VPN, cloud network): start the engine with `--mtu` of the \
     uplink, or check the proxy settings inside the build.";

/// What a cancelled build is when nobody here cancelled it.
const CANCELLED: &str = "the engine cancelled the build, and nobody here asked it to";

/// What to do about a limit that the definition itself sets.
const MEMORY: &str = "raise the environment's memory, or let the command need less at once";

/// The failure that was seen.
pub(crate) fn of(observed: &Observed, request: &CheckRequest) -> Failure {
    let mut failure = triage::classify(observed);
    match observed.error {
        EngineError::TimedOut { silent: true, .. } if observed.phase != Phase::Smoke => {
            let hint = failure.hint.take().map(|hint| format!("{hint} ")).unwrap_or_default();
            failure.hint = Some(format!("{hint}{SILENCE}"));
        }
        // The kernel enforced what the author wrote, so it is not the machine that lacks memory.
        EngineError::Exit { oom_killed: true, .. } if observed.phase == Phase::Smoke => {
            if let Some(mib) = request.plan.memory_mib {
                failure.owner = Owner::Author;
                failure.summary = format!("the command needs more than its {mib} MiB of memory");
                failure.hint = Some(MEMORY.to_owned());
            }
        }
        _ => {}
    }
    disown_cancellation(&mut failure, &observed.error);
    if failure.source.is_none() && is_of_the_base(observed.phase) && request.base.is_none() {
        failure.source = request.plan.base.place().map(source_place);
    }
    failure
}

/// A stop of ours is typed. What only the engine's words call cancelled, it cancelled by itself.
fn disown_cancellation(failure: &mut Failure, error: &EngineError) {
    if failure.code == Code::Canceled && !matches!(error, EngineError::Cancelled) {
        failure.code = Code::EngineGone;
        failure.summary = CANCELLED.to_owned();
    }
}

/// A place of a plan, as failures carry it.
#[must_use]
pub fn source_place(place: &Place) -> SourcePlace {
    SourcePlace { file: place.file.to_string(), line: place.line, column: place.column }
}

/// Whether what failed there is the base that the author named, and nothing that the author added to it.
const fn is_of_the_base(phase: Phase) -> bool {
    matches!(phase, Phase::ImageRef | Phase::Pull | Phase::Probe | Phase::Bootstrap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stop_of_ours_is_a_cancellation() {
        let stream = |message: &str| EngineError::Stream { message: message.to_owned() };
        for (error, expected) in [
            (EngineError::Cancelled, Code::Canceled),
            (stream("failed to solve: Canceled: context canceled"), Code::EngineGone),
        ] {
            let observed = Observed { phase: Phase::AuthoredStep, error, step: None };
            let mut failure = triage::classify(&observed);
            disown_cancellation(&mut failure, &observed.error);
            assert_eq!(failure.code, expected, "{:?}", observed.error);
        }
    }
}
