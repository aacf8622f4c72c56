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

#[tokio::test]
async fn clean_takes_what_dead_runs_left_and_nothing_else() {
    let Some((host, base)) = live() else { return };
    let engine = engine(&host, BOTH[0]).await;
    // A run that is alive: this process's own labels, read off a container of a real run.
    let mut alive = request(plan(&base, &[(Kind::Bootstrap, GIT)]));
    alive.smoke = vec![smoke("look", "echo begun; sleep 302")];
    let cancel = CancellationToken::new();
    let begun =
        |event: &Event| matches!(event, Event::SmokeOutput { text, .. } if text.contains("begun"));
    let labels = {
        let host = host.clone();
        move |run: &str| {
            let format = "{{range $k, $v := .Config.Labels}}{{$k}}={{$v}}\n{{end}}";
            let filter = format!("label=dev.drydock.run={run}");
            let docker = |arguments: &[&str]| {
                let output = std::process::Command::new("docker")
                    .args(["--host", &host])
                    .args(arguments)
                    .output()
                    .expect("docker's client is there");
                String::from_utf8_lossy(&output.stdout).trim().to_owned()
            };
            let id = docker(&["ps", "-q", "--filter", &filter]);
            docker(&["inspect", "--format", format, &id])
        }
    };
    let task = {
        let cancel = cancel.clone();
        async move {
            let mut reporter = Cancelling {
                kept: Kept::default(),
                when: begun,
                cancel: CancellationToken::new(),
                at: None,
            };
            let outcome = check(&engine, &alive, &mut reporter, &cancel).await;
            (engine, outcome, reporter.kept)
        }
    };
    let other = super::support::engine(&host, BOTH[0]).await;
    let look = async {
        let (mut id, mut text) = (String::new(), String::new());
        while text.is_empty() {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let all = docker(&other, &["ps", "-q", "--filter", "label=dev.drydock.run"]);
            for candidate in all.lines() {
                let format = "{{index .Config.Labels \"dev.drydock.run\"}} {{.Config.Entrypoint}}";
                let line = docker(&other, &["inspect", "--format", format, candidate]);
                if line.contains("sleep 302") && line.contains("echo begun") {
                    id = candidate.to_owned();
                    text = labels(line.split(' ').next().unwrap_or_default());
                }
            }
        }
        // The same labels with a process that is gone: what `kill -9` leaves.
        let dead: Vec<String> = text
            .lines()
            .filter(|line| line.starts_with("dev.drydock."))
            .map(|line| match line.split_once('=') {
                Some(("dev.drydock.process", _)) => "dev.drydock.process=4194999.1".to_owned(),
                Some(("dev.drydock.run", _)) => "dev.drydock.run=killed".to_owned(),
                _ => line.to_owned(),
            })
            .flat_map(|label| ["--label".to_owned(), label])
            .collect();
        let dead: Vec<&str> = dead.iter().map(String::as_str).collect();
        let left = docker(&other, &[&["run", "-d"], &dead[..], &[&base, "sleep", "303"]].concat());
        let left = left.trim().to_owned();
        let bystander = docker(&other, &["run", "-d", &base, "sleep", "304"]).trim().to_owned();
        let cleaned = runner::clean(&other).await.expect("the engine answers");
        let running = docker(&other, &["ps", "-q", "--no-trunc"]);
        docker(&other, &["rm", "-f", &bystander]);
        cancel.cancel();
        (id, left, bystander, cleaned, running)
    };
    let ((_, outcome, kept), (id, left, bystander, cleaned, running)) = tokio::join!(task, look);
    assert_eq!(outcome.verdict, Verdict::Cancelled, "{outcome:#?}");
    assert!(cleaned.containers.contains(&left), "{cleaned:?}");
    assert!(!running.contains(&left), "{running}");
    assert!(running.contains(&bystander), "{running}");
    assert!(running.lines().any(|line| line.starts_with(&id)), "{id} {running}");
    assert!(cleaned.in_use.iter().any(|line| line.contains(&id)), "{cleaned:?}");
    nothing_left(&other, &kept.run_id());
}
