//! What a run ends with: one row for each way to end, on both builders.

use std::time::{Duration, Instant};

use planner::InstructionKind as Kind;
use runner::{CheckRequest, Level, PullPolicy, SmokeCommand, Verdict};
use triage::Phase;

use super::support::{BOTH, Kept, engine, live, plan, request, run, smoke};

/// git, which our own smoke questions ask for.
const READY: (Kind, &str) = (
    Kind::Bootstrap,
    "RUN command -v git || (apt-get update && apt-get install -y --no-install-recommends git)",
);

/// Builds a request on the base under test.
fn on(base: &str, lines: &[(Kind, &str)]) -> CheckRequest {
    let all: Vec<_> = std::iter::once(READY).chain(lines.iter().copied()).collect();
    request(plan(base, &all))
}

/// Runs it on both builders and hands each end to `look`.
async fn on_both(
    make: impl Fn(&str) -> CheckRequest,
    look: impl Fn(&runner::Outcome, &Kept, Duration),
) {
    let Some((host, base)) = live() else { return };
    for builder in BOTH {
        let engine = engine(&host, builder).await;
        let began = Instant::now();
        let (outcome, kept) = run(&engine, &make(&base)).await;
        look(&outcome, &kept, began.elapsed());
    }
}

fn phase_of(outcome: &runner::Outcome) -> Option<Phase> {
    outcome.failure.as_ref().map(|failure| failure.phase)
}

fn exit_of(outcome: &runner::Outcome) -> Option<i64> {
    outcome.failure.as_ref().and_then(|failure| failure.exit_code)
}

#[tokio::test]
async fn a_good_plan_passes_and_leaves_nothing() {
    let make = |base: &str| {
        let mut request = on(base, &[(Kind::Setup, "RUN echo ready")]);
        let commands: [SmokeCommand; 3] = [
            smoke("greet", "echo hello; echo there >&2; printf 'no newline'"),
            smoke("who", "id -un; pwd; echo $HOME"),
            smoke("strict", "false | true; echo \"${UNSET-unset}\"; test -z \"${1-}\""),
        ];
        request.smoke = commands.into();
        request
    };
    on_both(make, |outcome, kept, _| {
        assert_eq!(outcome.verdict, Verdict::Passed, "{:#?}", outcome.failure);
        assert_eq!(outcome.level, Level::Executed);
        let greeting = kept.smoke_output("greet");
        assert!(greeting.contains("hello\n") && greeting.contains("there\n"), "{greeting}");
        assert!(greeting.ends_with("no newline") || greeting.ends_with("there\n"), "{greeting}");
        assert!(kept.smoke_output("who").starts_with("nobody\n/tmp\n"), "{:?}", kept.0);
        assert!(kept.smoke_output("session basics").starts_with("git version"), "{:?}", kept.0);
        assert_eq!(kept.smoke_output("strict"), "unset\n");
    })
    .await;
}

#[tokio::test]
async fn a_failing_step_is_named_with_its_place_output_and_exit_code() {
    let make = |base: &str| {
        let step = "RUN echo out; echo err >&2; \\\n  exit 7";
        on(base, &[(Kind::Step, "ENV A=b"), (Kind::Step, step), (Kind::Step, "RUN true")])
    };
    on_both(make, |outcome, kept, _| {
        assert_eq!(phase_of(outcome), Some(Phase::AuthoredStep), "{outcome:#?}");
        assert_eq!(exit_of(outcome), Some(7), "{outcome:#?}");
        let source = outcome.failure.as_ref().and_then(|f| f.source.clone());
        assert_eq!(source.map(|place| place.line), Some(5), "{outcome:#?}");
        let output = kept.step_output();
        assert!(output.contains("out\n") && output.contains("err\n"), "{output}");
        assert!(!output.contains('\u{1b}'), "{output}");
    })
    .await;
}

#[tokio::test]
async fn a_setup_entry_that_hangs_is_stopped_at_its_limit() {
    let make = |base: &str| {
        let mut request = on(base, &[(Kind::Setup, "RUN echo begun; sleep 300")]);
        request.timeouts.setup = Duration::from_secs(2);
        request
    };
    on_both(make, |outcome, kept, took| {
        assert_eq!(phase_of(outcome), Some(Phase::Setup), "{outcome:#?}");
        assert!(kept.step_output().contains("begun"), "{:?}", kept.step_output());
        assert!(took < Duration::from_secs(60), "{took:?}");
    })
    .await;
}

#[tokio::test]
async fn silence_is_noticed_and_explained() {
    let make = |base: &str| {
        let mut request = on(base, &[(Kind::Step, "RUN sleep 301")]);
        request.timeouts.silence = Duration::from_secs(3);
        request
    };
    on_both(make, |outcome, _, _| {
        assert_eq!(phase_of(outcome), Some(Phase::AuthoredStep), "{outcome:#?}");
        let hint = outcome.failure.as_ref().and_then(|f| f.hint.clone()).unwrap_or_default();
        assert!(hint.contains("MTU"), "{outcome:#?}");
    })
    .await;
}

#[tokio::test]
async fn smoke_commands_fail_by_name_with_exit_code_memory_and_time() {
    for (command, exit, verdict) in [
        ("echo before; exit 9", Some(9), Verdict::Failed),
        ("nothing-of-this-name", Some(127), Verdict::Failed),
        ("echo $UNSET_VARIABLE", Some(2), Verdict::Failed),
        ("tail /dev/zero", Some(137), Verdict::Failed),
    ] {
        let make = |base: &str| {
            let mut request = on(base, &[]);
            request.plan.memory_mib = Some(64);
            request.plan.cpu_millis = Some(500);
            request.smoke = vec![smoke("fine", "true"), smoke("it", command)];
            request
        };
        on_both(make, |outcome, kept, _| {
            assert_eq!(phase_of(outcome), Some(Phase::Smoke), "{command} {outcome:#?}");
            assert_eq!(exit_of(outcome), exit, "{command} {outcome:#?} {:?}", kept.0.last());
            assert_eq!(outcome.verdict, verdict, "{command} {outcome:#?}");
        })
        .await;
    }
    let make = |base: &str| {
        let mut request = on(base, &[]);
        request.timeouts.smoke = Duration::from_secs(2);
        request.smoke = vec![smoke("it", "trap '' TERM INT; sleep 300")];
        request
    };
    on_both(make, |outcome, _, took| {
        assert_eq!(phase_of(outcome), Some(Phase::Smoke), "{outcome:#?}");
        assert!(took < Duration::from_secs(60), "{took:?}");
    })
    .await;
}

#[tokio::test]
async fn a_session_that_is_root_under_another_name_does_not_pass() {
    let make = |base: &str| {
        let account = "RUN echo 'toor:x:0:0::/root:/bin/sh' >> /etc/passwd";
        let mut request = on(base, &[(Kind::Step, account)]);
        request.plan.session.user = "toor".to_owned();
        request
    };
    on_both(make, |outcome, kept, _| {
        assert_eq!(phase_of(outcome), Some(Phase::Smoke), "{outcome:#?}");
        assert!(kept.smoke_output("session basics").contains("runs as root"), "{:?}", kept.0);
    })
    .await;
}

#[tokio::test]
async fn what_the_base_brings_does_not_change_what_runs() {
    let make = |base: &str| {
        let lines = [
            (Kind::Step, "ENTRYPOINT [\"/bin/false\"]"),
            (Kind::Step, "CMD [\"/bin/false\"]"),
            (Kind::Step, "HEALTHCHECK --interval=1s CMD exit 1"),
            (Kind::Step, "VOLUME [\"/tmp\", \"/data\"]"),
            (Kind::Step, "WORKDIR /nowhere"),
        ];
        let mut request = on(base, &lines);
        request.smoke = vec![smoke("it", "pwd; touch /tmp/here")];
        request
    };
    on_both(make, |outcome, kept, _| {
        assert_eq!(outcome.verdict, Verdict::Passed, "{:#?}", outcome.failure);
        assert_eq!(kept.smoke_output("it"), "/tmp\n");
    })
    .await;
}

#[tokio::test]
async fn a_base_that_is_not_there_is_a_pull_failure() {
    for policy in [PullPolicy::Missing, PullPolicy::Never] {
        let make = |base: &str| {
            let mut request = on(base, &[]);
            request.base = Some(format!("{base}-of-no-such-tag"));
            request.pull = policy;
            request
        };
        on_both(make, |outcome, _, _| {
            assert_eq!(phase_of(outcome), Some(Phase::Pull), "{outcome:#?}");
            assert_eq!(outcome.level, Level::Predicted);
            assert!(outcome.not_proven.iter().any(|n| n.what == "authored-base"), "{outcome:#?}");
        })
        .await;
    }
}

#[tokio::test]
async fn a_line_that_no_builder_knows_is_found_again() {
    let make = |base: &str| on(base, &[(Kind::Step, "RUN true"), (Kind::Step, "FOO bar")]);
    on_both(make, |outcome, _, _| {
        assert_eq!(phase_of(outcome), Some(Phase::AuthoredStep), "{outcome:#?}");
        let source = outcome.failure.as_ref().and_then(|f| f.source.clone());
        assert_eq!(source.map(|place| place.line), Some(5), "{outcome:#?}");
    })
    .await;
}

#[tokio::test]
async fn more_processors_than_there_are_is_left_unproven() {
    let make = |base: &str| {
        let mut request = on(base, &[]);
        request.plan.cpu_millis = Some(4_096_000);
        request.pull = PullPolicy::Always;
        request
    };
    on_both(make, |outcome, _, _| {
        assert_eq!(outcome.verdict, Verdict::Passed, "{outcome:#?}");
        assert!(outcome.not_proven.iter().any(|n| n.what == "resource-limits"), "{outcome:#?}");
    })
    .await;
}
