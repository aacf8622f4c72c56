//! A real engine for the tests, a plan by hand, and what a run told.

use std::path::Path;
use std::process::Command;

use environment::{Place, StageId};
use planner::{BaseImage, CheckoutPath, Instruction, InstructionKind as Kind, Plan, Session};
use runner::{
    BuilderChoice, CheckRequest, ContextRequest, Engine, EngineEnvironment, EngineOptions, Event,
    Outcome, PullPolicy, Reporter, Search, SmokeCommand, Timeouts, check, connect,
};
use tokio_util::sync::CancellationToken;

/// The two builders.
pub(crate) const BOTH: [BuilderChoice; 2] = [BuilderChoice::Classic, BuilderChoice::Buildkit];

#[expect(clippy::print_stdout, reason = "a test that skips says so")]
/// The engine's address and a base with glibc, apt-get and git; `None` says that it skips.
pub(crate) fn live() -> Option<(String, String)> {
    let named = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let both = named("DRYDOCK_TEST_ENGINE").zip(named("DRYDOCK_TEST_BASE"));
    if both.is_none() {
        assert!(
            named("DRYDOCK_LIVE").as_deref() != Some("required"),
            "DRYDOCK_LIVE=required, and DRYDOCK_TEST_ENGINE or DRYDOCK_TEST_BASE is not set"
        );
        println!("skipped: DRYDOCK_TEST_ENGINE and DRYDOCK_TEST_BASE name no engine and base");
    }
    both
}

/// Connects to the engine under test.
pub(crate) async fn engine(host: &str, builder: BuilderChoice) -> Engine {
    let options = EngineOptions {
        search: Search {
            host: Some(host.to_owned()),
            environment: EngineEnvironment::of_this_process(),
        },
        builder,
    };
    connect(&options).await.expect("the engine under test answers")
}

/// A reporter that keeps everything.
#[derive(Default)]
pub(crate) struct Kept(pub(crate) Vec<Event>);

impl Reporter for Kept {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        self.0.push(event.clone());
        Ok(())
    }
}

impl Kept {
    /// All output of all steps.
    pub(crate) fn step_output(&self) -> String {
        let text = |event: &Event| match event {
            Event::StepOutput { text, .. } => Some(text.clone()),
            _ => None,
        };
        self.0.iter().filter_map(text).collect()
    }

    /// The output of one smoke command.
    pub(crate) fn smoke_output(&self, of: &str) -> String {
        let text = |event: &Event| match event {
            Event::SmokeOutput { name, text, .. } if name == of => Some(text.clone()),
            _ => None,
        };
        self.0.iter().filter_map(text).collect()
    }

    /// What could not be removed.
    pub(crate) fn left(&self) -> Vec<String> {
        let left = |event: &Event| match event {
            Event::CleanedUp { left, .. } => Some(left.clone()),
            _ => None,
        };
        self.0.iter().filter_map(left).flatten().collect()
    }

    /// The id of the run.
    pub(crate) fn run_id(&self) -> String {
        let id = |event: &Event| match event {
            Event::RunStarted { run, .. } => Some(run.clone()),
            _ => None,
        };
        self.0.iter().find_map(id).expect("every run begins with its id")
    }
}

/// Runs a request to its end, and looks for what it left.
pub(crate) async fn run(engine: &Engine, request: &CheckRequest) -> (Outcome, Kept) {
    let mut kept = Kept::default();
    let outcome = check(engine, request, &mut kept, &CancellationToken::new()).await;
    assert_eq!(kept.left(), Vec::<String>::new());
    assert_eq!(runner::fold(&kept.0), outcome, "the outcome is the fold of the events");
    let twice = [kept.0.clone(), kept.0.clone()].concat();
    assert_eq!(runner::fold(&twice), outcome, "events told twice change nothing");
    if !request.keep {
        nothing_left(engine, &kept.run_id());
    }
    (outcome, kept)
}

/// Nothing on the engine carries the run's label.
pub(crate) fn nothing_left(engine: &Engine, run: &str) {
    let filter = format!("label=dev.drydock.run={run}");
    for what in [["ps", "-aq"], ["images", "-aq"]] {
        let left = docker(engine, &[what[0], what[1], "--filter", &filter]);
        assert_eq!(left.trim(), "", "docker {what:?} of {run}");
    }
}

/// Docker's own client as a witness.
pub(crate) fn docker(engine: &Engine, arguments: &[&str]) -> String {
    let host = &engine.describe().host;
    let output = Command::new("docker").args(["--host", host]).args(arguments).output();
    let output = output.expect("docker's client is there");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Instructions of a plan, with their lines counted as the renderer counts them.
pub(crate) fn plan(base: &str, lines: &[(Kind, &str)]) -> Plan {
    let mut instructions = Vec::new();
    let id = |name: &str| -> StageId { name.parse().expect("a stage's name") };
    let mut all = vec![
        (Kind::Base, format!("ARG AUTO_ENVIRONMENT_BASE={base}")),
        (Kind::Base, "FROM ${AUTO_ENVIRONMENT_BASE}".to_owned()),
        (Kind::Base, "USER root".to_owned()),
    ];
    all.extend(lines.iter().map(|(kind, text)| (*kind, (*text).to_owned())));
    for (index, (kind, text)) in all.into_iter().enumerate() {
        let authored = matches!(kind, Kind::Step | Kind::Setup);
        instructions.push(Instruction {
            stage: id("stage"),
            kind,
            lines: u32::try_from(text.lines().count()).expect("a small number"),
            text,
            line: 0,
            place: authored.then(|| Place {
                file: environment::RepoPath::new(".auto/agents/a.yaml").expect("a path"),
                line: u32::try_from(index).expect("a small number"),
                column: 1,
            }),
            name: (kind == Kind::Setup).then(|| "entry".to_owned()),
            timeout_s: None,
            packages: Vec::new(),
        });
    }
    let mut plan = Plan {
        schema: "plan/1".to_owned(),
        environment: "live test".to_owned(),
        platform: "linux/amd64".to_owned(),
        base: BaseImage { reference: base.to_owned(), ..BaseImage::default() },
        instructions,
        session: Session {
            user: "nobody".to_owned(),
            home: "/tmp".to_owned(),
            workdir: Some("/tmp".to_owned()),
        },
        digest: "0".repeat(64),
        ..Plan::default()
    };
    number(&mut plan);
    plan
}

/// Finds each instruction's line in the rendered text.
fn number(plan: &mut Plan) {
    let text = planner::render(plan, planner::ContextRoot::Nested);
    let mut from = 0;
    for instruction in &mut plan.instructions {
        let first = instruction.text.lines().next().unwrap_or_default().to_owned();
        // The renderer writes the checkout's line anew.
        let is_it = |line: &&str| match instruction.kind {
            Kind::Checkout => line.starts_with("COPY "),
            _ => **line == first,
        };
        let found = text.lines().skip(from).position(|line| is_it(&line));
        from += found.expect("every instruction is rendered") + 1;
        instruction.line = u32::try_from(from).expect("a small number");
    }
}

/// A request with short limits.
pub(crate) fn request(plan: Plan) -> CheckRequest {
    CheckRequest {
        plan,
        context: None,
        base: None,
        pull: PullPolicy::Missing,
        timeouts: Timeouts::default(),
        smoke: Vec::new(),
        keep: false,
    }
}

/// With a commit as its checkout, at `/work`.
pub(crate) fn with_checkout(mut request: CheckRequest, repository: &Path) -> CheckRequest {
    request.plan.checkout =
        Some(CheckoutPath { repository: "a/b".to_owned(), path: "/work".to_owned() });
    request.context =
        Some(ContextRequest { repository: repository.to_owned(), commit: "HEAD".to_owned() });
    number(&mut request.plan);
    request
}

/// A smoke command.
pub(crate) fn smoke(name: &str, command: &str) -> SmokeCommand {
    SmokeCommand { name: name.to_owned(), command: command.to_owned() }
}
