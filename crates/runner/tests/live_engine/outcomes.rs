//! What a run ends with.

use planner::InstructionKind as Kind;
use runner::{Level, Verdict};

use super::support::{BOTH, engine, live, plan, request, run, smoke};

/// git and an account: what a plan's own lines bring.
const READY: (Kind, &str) = (
    Kind::Bootstrap,
    "RUN command -v git || (apt-get update && apt-get install -y --no-install-recommends git)",
);

#[tokio::test]
async fn a_good_plan_passes_and_leaves_nothing() {
    let Some((host, base)) = live() else { return };
    for builder in BOTH {
        let engine = engine(&host, builder).await;
        let mut request = request(plan(&base, &[READY, (Kind::Setup, "RUN echo ready")]));
        request.smoke = vec![smoke("greet", "echo hello; echo there >&2")];
        let (outcome, kept) = run(&engine, &request).await;
        assert_eq!(outcome.verdict, Verdict::Passed, "{builder:?} {:#?}", outcome.failure);
        assert_eq!(outcome.level, Level::Executed);
        assert!(kept.step_output().contains("ready\n") || cached(&outcome));
        assert!(kept.smoke_output("greet").contains("hello\n"), "{:?}", kept.0);
    }
}

/// A cached step prints nothing again.
fn cached(outcome: &runner::Outcome) -> bool {
    outcome.phases.iter().any(|time| time.phase == triage::Phase::Setup && time.cached)
}
