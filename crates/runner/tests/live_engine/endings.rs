//! Ends that somebody forces: a cancelled run, a killed run, an image that stays.

use std::time::{Duration, Instant};

use planner::InstructionKind as Kind;
use runner::{Event, Reporter, Verdict, check};
use tokio_util::sync::CancellationToken;

use super::support::{BOTH, Kept, docker, engine, live, nothing_left, plan, request, run, smoke};

/// Cancels once an event matches, and keeps everything.
struct Cancelling<F> {
    kept: Kept,
    when: F,
    cancel: CancellationToken,
    at: Option<Instant>,
}

impl<F: Fn(&Event) -> bool> Reporter for Cancelling<F> {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        if self.at.is_none() && (self.when)(event) {
            self.at = Some(Instant::now());
            self.cancel.cancel();
        }
        self.kept.event(event)
    }
}

const LONG: &str = "RUN echo begun && sleep 302";
const GIT: &str = "RUN command -v git || (apt-get update && apt-get install -y git)";

#[tokio::test]
async fn a_cancelled_run_ends_within_two_seconds_and_leaves_nothing() {
    let Some((host, base)) = live() else { return };
    for builder in BOTH {
        let engine = engine(&host, builder).await;
        for in_smoke in [false, true] {
            let line = if in_smoke { "RUN true" } else { LONG };
            let mut request = request(plan(&base, &[(Kind::Bootstrap, GIT), (Kind::Setup, line)]));
            request.smoke = vec![smoke("long", "echo begun; sleep 302")];
            let cancel = CancellationToken::new();
            let begun = |event: &Event| match event {
                Event::StepOutput { text, .. } | Event::SmokeOutput { text, .. } => {
                    text.contains("begun")
                }
                _ => false,
            };
            let kept = Kept::default();
            let mut reporter = Cancelling { kept, when: begun, cancel: cancel.clone(), at: None };
            let outcome = check(&engine, &request, &mut reporter, &cancel).await;
            let took = reporter.at.expect("it began").elapsed();
            assert_eq!(outcome.verdict, Verdict::Cancelled, "{builder:?} {outcome:#?}");
            assert!(took < Duration::from_secs(2), "{builder:?} smoke={in_smoke} {took:?}");
            nothing_left(&engine, &reporter.kept.run_id());
            assert!(!still_runs(&engine).await, "{builder:?} smoke={in_smoke}");
        }
    }
}

/// Whether the step's own process survived, given a moment to die.
async fn still_runs(engine: &runner::Engine) -> bool {
    for _ in 0..20 {
        let all = docker(engine, &["ps", "-q", "--no-trunc"]);
        let sleeping = all.lines().any(|id| docker(engine, &["top", id]).contains("sleep 302"));
        let found = std::process::Command::new("pgrep").args(["-f", "^sleep 302$"]).status();
        if !sleeping && !found.is_ok_and(|status| status.success()) {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    true
}

#[tokio::test]
async fn a_reporter_that_fails_stops_the_run() {
    struct Closed;
    impl Reporter for Closed {
        fn event(&mut self, event: &Event) -> std::io::Result<()> {
            match event {
                Event::StepOutput { .. } => Err(std::io::ErrorKind::BrokenPipe.into()),
                _ => Ok(()),
            }
        }
    }
    let Some((host, base)) = live() else { return };
    for builder in BOTH {
        let engine = engine(&host, builder).await;
        let request = request(plan(&base, &[(Kind::Setup, LONG)]));
        let outcome = check(&engine, &request, &mut Closed, &CancellationToken::new()).await;
        assert_eq!(outcome.verdict, Verdict::Cancelled, "{builder:?} {outcome:#?}");
    }
}

#[tokio::test]
async fn an_image_that_stays_has_a_name_and_survives_a_clean() {
    let Some((host, base)) = live() else { return };
    for builder in BOTH {
        let engine = engine(&host, builder).await;
        let mut request = request(plan(&base, &[(Kind::Bootstrap, GIT)]));
        request.keep = true;
        let (outcome, _) = run(&engine, &request).await;
        let name = outcome.image.expect("the outcome names it");
        assert!(name.starts_with("drydock/live-test:"), "{name}");
        runner::clean(&engine).await.expect("the engine answers");
        let id = docker(&engine, &["image", "inspect", "--format", "{{.Id}}", &name]);
        assert!(id.starts_with("sha256:"), "{name} {id}");
        docker(&engine, &["rmi", &name]);
    }
}

/// Passes every connection on to the engine until it is told to end.
async fn between(socket: std::path::PathBuf, engine: String, end: CancellationToken) {
    let listener = tokio::net::UnixListener::bind(socket).expect("a socket");
    loop {
        let (mut near, _) = tokio::select! {
            () = end.cancelled() => return,
            came = listener.accept() => came.expect("a connection"),
        };
        let (engine, end) = (engine.clone(), end.clone());
        tokio::spawn(async move {
            let mut far = tokio::net::UnixStream::connect(engine).await.expect("the engine");
            tokio::select! {
                () = end.cancelled() => {}
                _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
            }
        });
    }
}

#[tokio::test]
async fn an_engine_that_goes_away_is_said_to_be_gone() {
    let Some((host, base)) = live() else { return };
    let Some(path) = host.strip_prefix("unix://").map(str::to_owned) else { return };
    for builder in BOTH {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("engine.sock");
        let gone = CancellationToken::new();
        let task = tokio::spawn(between(socket.clone(), path.clone(), gone.clone()));
        tokio::time::sleep(Duration::from_millis(100)).await;
        let engine = engine(&format!("unix://{}", socket.display()), builder).await;
        let request = request(plan(&base, &[(Kind::Setup, LONG)]));
        // The same reporter that cancels a run ends the connection here.
        let begun = |event: &Event| matches!(event, Event::StepOutput { text, .. } if text.contains("begun"));
        let mut reporter =
            Cancelling { kept: Kept::default(), when: begun, cancel: gone, at: None };
        let outcome = check(&engine, &request, &mut reporter, &CancellationToken::new()).await;
        task.await.expect("it ended");
        let failure = outcome.failure.expect("the engine is gone");
        assert_eq!(outcome.verdict, Verdict::Inconclusive, "{builder:?} {failure:#?}");
        assert_eq!(failure.code, triage::Code::EngineGone, "{builder:?} {failure:#?}");
        assert!(!reporter.kept.left().is_empty(), "nobody could clean up, and nobody said so");
    }
}

/// Set in the child that the next test kills.
const CHILD: &str = "DRYDOCK_TEST_CHILD";

/// Not a test of its own: the run that the next test kills, in a process of its own.
#[tokio::test]
async fn child() {
    let Some(builder) = std::env::var(CHILD).ok() else { return };
    let Some((host, base)) = live() else { return };
    let chosen = BOTH.into_iter().find(|b| format!("{b:?}") == builder).expect("a builder");
    let engine = engine(&host, chosen).await;
    let mut request = request(plan(&base, &[(Kind::Bootstrap, GIT)]));
    request.smoke = vec![smoke("long", "echo begun; sleep 302")];
    check(&engine, &request, &mut Kept::default(), &CancellationToken::new()).await;
}

#[tokio::test]
async fn clean_takes_what_a_killed_run_left_and_nothing_else() {
    let Some((host, base)) = live() else { return };
    let engine = engine(&host, BOTH[0]).await;
    let bystander = docker(&engine, &["run", "-d", &base, "sleep", "304"]).trim().to_owned();
    for builder in BOTH {
        let mut child = std::process::Command::new(std::env::current_exe().expect("a path"))
            .args(["endings::child", "--exact"])
            .env(CHILD, format!("{builder:?}"))
            .spawn()
            .expect("this test starts again");
        let id = container_of(&engine, child.id()).await;
        let cleaned = runner::clean(&engine).await.expect("the engine answers");
        assert!(cleaned.in_use.iter().any(|line| line.contains(&id)), "{cleaned:?}");
        assert!(runs(&engine, &id), "a living run's container was taken");
        child.kill().expect("it lives");
        child.wait().expect("it ends");
        let cleaned = runner::clean(&engine).await.expect("the engine answers");
        assert!(cleaned.containers.contains(&id), "{builder:?} {cleaned:?}");
        assert!(!runs(&engine, &id));
        let label = "label=dev.drydock.run";
        for what in [["ps", "-aq"], ["images", "-aq"]] {
            let all = docker(&engine, &[what[0], what[1], "--no-trunc", "--filter", label]);
            let left: Vec<&str> =
                all.lines().filter(|id| !cleaned.in_use.iter().any(|l| l.contains(id))).collect();
            assert_eq!(left, Vec::<&str>::new(), "{builder:?} {what:?}");
        }
    }
    assert!(runs(&engine, &bystander), "a container that is not ours was taken");
    docker(&engine, &["rm", "-f", &bystander]);
}

/// The container of a process's run, once it is there.
async fn container_of(engine: &runner::Engine, pid: u32) -> String {
    let format = "{{.ID}} {{.Label \"dev.drydock.process\"}}";
    for _ in 0..600 {
        let all = docker(engine, &["ps", "--no-trunc", "--format", format]);
        let ours = all.lines().find_map(|line| {
            let (id, process) = line.split_once(' ')?;
            process.starts_with(&format!("{pid}.")).then(|| id.to_owned())
        });
        match ours {
            Some(id) => return id,
            None => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    panic!("the child's container never came");
}

fn runs(engine: &runner::Engine, id: &str) -> bool {
    docker(engine, &["ps", "-q", "--no-trunc"]).contains(id)
}
