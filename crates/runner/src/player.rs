//! Tests: a port that plays what a real builder said, and the cases that were recorded.
//!
//! A case is a folder of `crates/runner/recordings/`: `case.json` says what was built, `said.jsonl`
//! is what the builder said, and the snapshot beside the test is what a run makes of it.

mod cases;
mod port;

use tokio_util::sync::CancellationToken;

use crate::check::check_on;
use crate::engine::{BuilderChoice, EngineEnvironment, EngineOptions, Port as _, Search, connect};
use crate::{Event, Reporter};
use cases::{Case, cases};
use port::Player;

struct Kept(Vec<Event>);

impl Reporter for Kept {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        self.0.push(event.clone());
        Ok(())
    }
}

/// Everything but what differs from run to run.
fn steady(event: &Event) -> String {
    let mut value = serde_json::to_value(event).expect("events are JSON");
    erase(&mut value);
    serde_json::to_string(&value).expect("values are JSON")
}

fn erase(value: &mut serde_json::Value) {
    if let Some(object) = value.as_object_mut() {
        for (name, inner) in object.iter_mut() {
            match name.as_str() {
                "run" => *inner = "…".into(),
                "duration_ms" => *inner = 0.into(),
                _ => erase(inner),
            }
        }
    }
    value.as_array_mut().into_iter().flatten().for_each(erase);
}

#[tokio::test]
async fn every_recording_is_told_as_its_snapshot() {
    for case in cases() {
        let player = Player::of(&case);
        let mut kept = Kept(Vec::new());
        let info = case.engine_info();
        let cancel = CancellationToken::new();
        let outcome = check_on(&player, &info, &case.request(), &mut kept, &cancel).await;
        assert_eq!(crate::fold(&kept.0), outcome, "{}", case.name);
        let twice = [kept.0.clone(), kept.0.clone()].concat();
        assert_eq!(crate::fold(&twice), outcome, "{}", case.name);
        let told: Vec<String> = kept.0.iter().map(steady).collect();
        insta::with_settings!({ snapshot_path => "../recordings/told", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(case.name.as_str(), told.join("\n"));
        });
    }
}

/// BuildKit repeats its vertices: said twice, the events are the same.
#[tokio::test]
async fn a_vertex_that_comes_again_changes_nothing() {
    for case in cases().into_iter().filter(Case::is_buildkit) {
        let (mut once, mut twice) = (Kept(Vec::new()), Kept(Vec::new()));
        let cancel = CancellationToken::new();
        let (info, request) = (case.engine_info(), case.request());
        check_on(&Player::of(&case), &info, &request, &mut once, &cancel).await;
        check_on(&Player::stuttering(&case), &info, &request, &mut twice, &cancel).await;
        let told = |kept: &Kept| -> Vec<String> { kept.0.iter().map(steady).collect() };
        assert_eq!(told(&once), told(&twice), "{}", case.name);
    }
}

/// A build that shares its failing step with another one learns how the step ended by asking again.
#[tokio::test]
async fn a_failure_that_another_build_was_told_is_asked_for_again() {
    let mut asked = 0;
    for case in cases().into_iter().filter(Case::is_buildkit) {
        let (mut once, mut again) = (Kept(Vec::new()), Kept(Vec::new()));
        let cancel = CancellationToken::new();
        let (info, request) = (case.engine_info(), case.request());
        let told = check_on(&Player::of(&case), &info, &request, &mut once, &cancel).await;
        let player = Player::telling_another(&case);
        let outcome = check_on(&player, &info, &request, &mut again, &cancel).await;
        if told.failure.as_ref().is_some_and(|failure| failure.exit_code.is_some()) {
            assert_eq!(outcome.failure, told.failure, "{}", case.name);
            asked += 1;
        }
    }
    assert!(asked > 0, "no recording of a step that fails");
}

/// Records the cases of an engine anew: `DRYDOCK_RECORD=unix:///var/run/docker.sock`.
#[tokio::test]
async fn record() {
    let Ok(host) = std::env::var("DRYDOCK_RECORD") else { return };
    for case in cases() {
        let options = EngineOptions {
            search: Search {
                host: Some(host.clone()),
                environment: EngineEnvironment::of_this_process(),
            },
            builder: if case.is_buildkit() {
                BuilderChoice::Buildkit
            } else {
                BuilderChoice::Classic
            },
        };
        let engine = connect(&options).await;
        // Podman has no BuildKit; its cases are recorded with its socket, the others with Docker's.
        let Ok(engine) = engine else { continue };
        if engine.describe().podman != case.is_podman() {
            continue;
        }
        let said = case.record(engine.port()).await;
        case.write(&said);
        for update in said.into_iter().flatten() {
            if let crate::engine::BuildUpdate::Image { id } = update {
                engine.port().remove_image(&id).await.expect("the image goes");
            }
        }
    }
}
