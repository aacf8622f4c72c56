//! A run that is stopped: by Ctrl-C, and by a kill after which `drydock clean` puts things in order.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::drydock::Check;
use crate::engine::Engine;
use crate::fixture::Fixture;

type Test = fn(&Engine, &'static str) -> Result<(), String>;

/// Every test of this file.
pub(crate) const TESTS: &[(&str, Test)] = &[
    ("interrupt-in-a-step", interrupt_in_a_step),
    ("interrupt-in-a-smoke-command", interrupt_in_a_smoke_command),
    ("terminate-in-a-step", terminate_in_a_step),
    ("kill-in-a-step", kill_in_a_step),
    ("kill-in-a-smoke-command", kill_in_a_smoke_command),
];

/// Those that also run from afar.
pub(crate) const FROM_AFAR: [(&str, Test); 2] = [
    ("interrupt-in-a-step", interrupt_in_a_step),
    ("kill-in-a-smoke-command", kill_in_a_smoke_command),
];

/// One Ctrl-C ends a run within this time, cleaned up.
const PATIENCE: Duration = Duration::from_secs(2);

fn interrupt_in_a_step(engine: &Engine, builder: &str) -> Result<(), String> {
    stopped_in_order(&mut Started::new(engine, builder, "hanging-step")?, engine, "INT")
}

fn terminate_in_a_step(engine: &Engine, builder: &str) -> Result<(), String> {
    stopped_in_order(&mut Started::new(engine, builder, "hanging-step")?, engine, "TERM")
}

fn interrupt_in_a_smoke_command(engine: &Engine, builder: &str) -> Result<(), String> {
    stopped_in_order(&mut Started::new(engine, builder, "hanging-smoke")?, engine, "INT")
}

fn kill_in_a_step(engine: &Engine, builder: &str) -> Result<(), String> {
    killed_and_cleaned(&mut Started::new(engine, builder, "hanging-step")?, engine)
}

fn kill_in_a_smoke_command(engine: &Engine, builder: &str) -> Result<(), String> {
    killed_and_cleaned(&mut Started::new(engine, builder, "hanging-smoke")?, engine)
}

/// A run that hangs where its fixture hangs.
struct Started {
    child: Child,
    check: Check,
    output: BufReader<std::process::ChildStdout>,
    run: String,
    _repository: TempDir,
}

impl Started {
    fn new(engine: &Engine, builder: &str, fixture: &str) -> Result<Self, String> {
        let fixture = Fixture::named(fixture)?;
        let repository = fixture.commit(engine)?;
        let mut check = fixture.prepare(engine, repository.path(), builder)?;
        let mut child = check.spawn()?;
        let output = child.stdout.take().ok_or("no output")?;
        let mut started = Self {
            child,
            check,
            output: BufReader::new(output),
            run: String::new(),
            _repository: repository,
        };
        started.wait_until_it_hangs()?;
        Ok(started)
    }

    /// Reads events until the fixture's own `waiting` shows that its endless loop runs.
    fn wait_until_it_hangs(&mut self) -> Result<(), String> {
        let mut line = String::new();
        while self.output.read_line(&mut line).map_err(|error| error.to_string())? > 0 {
            let event: Value =
                serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
            if let Some(run) = event["run"].as_str() {
                run.clone_into(&mut self.run);
            }
            let output = matches!(event["event"].as_str(), Some("step-output" | "smoke-output"));
            if output && event["text"].as_str().is_some_and(|text| text.contains("waiting")) {
                return Ok(());
            }
            line.clear();
        }
        Err("the run ended before it could be stopped".to_owned())
    }

    fn signal(&self, name: &str) -> Result<(), String> {
        // A terminal's Ctrl-C is for every program in the foreground, not for ours alone.
        let whom = if name == "INT" { "-" } else { "" };
        let kill = format!("kill -{name} {whom}{}", self.child.id());
        let status =
            Command::new("sh").args(["-c", &kill]).status().map_err(|error| error.to_string())?;
        status.success().then_some(()).ok_or_else(|| format!("{kill} failed"))
    }

    /// The report of a run that has ended, or is about to.
    fn last_line(&mut self) -> Value {
        let mut rest = String::new();
        drop(std::io::Read::read_to_string(&mut self.output, &mut rest));
        rest.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default()
    }
}

/// A run from afar whose way to the engine is cut by `cut`: nobody's fault here, and worth another try.
pub(crate) fn cut_off(
    afar: &Engine,
    engine: &Engine,
    builder: &str,
    cut: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let mut started = Started::new(afar, builder, "hanging-step")?;
    cut()?;
    let last = started.last_line();
    let status = started.child.wait().map_err(|error| error.to_string())?;
    // By another way: this one is gone.
    clean(&started, engine)?;
    let code = &last["failure"]["code"];
    if status.code() != Some(75) || code != "engine-gone" {
        return Err(format!("{status}, {last:#}"));
    }
    nothing_left(&started, engine)
}

fn stopped_in_order(started: &mut Started, engine: &Engine, signal: &str) -> Result<(), String> {
    let before = Instant::now();
    started.signal(signal)?;
    let status = started.child.wait().map_err(|error| error.to_string())?;
    let took = before.elapsed();
    if took > PATIENCE {
        return Err(format!("took {took:?} to stop"));
    }
    let last = started.last_line();
    if status.code() != Some(130) || last["verdict"] != "cancelled" {
        return Err(format!("{status}, {last:#}"));
    }
    nothing_left(started, engine)
}

fn killed_and_cleaned(started: &mut Started, engine: &Engine) -> Result<(), String> {
    // Somebody else's: `clean` must not touch it, though it looks abandoned as well.
    let bystander = engine.docker(&[
        "create",
        "--label",
        "example.org/owner=somebody",
        &engine.base("musl"),
        "true",
    ])?;
    let bystander = bystander.trim();
    started.signal("KILL")?;
    started.child.wait().map_err(|error| error.to_string())?;
    let cleaned = clean(started, engine);
    let survived = engine
        .docker(&["rm", bystander])
        .map_err(|error| format!("clean removed somebody else's: {error}"));
    cleaned?;
    survived?;
    nothing_left(started, engine)
}

/// Cleans until the engine has noticed that its client is gone: a build may outlive it for a moment.
fn clean(started: &Started, engine: &Engine) -> Result<(), String> {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let mut clean = engine.drydock("clean");
        clean.env("TMPDIR", started.check.temporary());
        // What is remembered of images is the user's, and stays.
        clean.env("XDG_CACHE_HOME", started.check.temporary());
        let output = clean.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let said = [output.stdout, output.stderr].concat();
            return Err(format!("clean: {}", String::from_utf8_lossy(&said)));
        }
        if engine.left_of(&started.run)?.is_empty() || Instant::now() > end {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn nothing_left(started: &Started, engine: &Engine) -> Result<(), String> {
    let mut left = engine.left_of(&started.run)?;
    left.extend(started.check.temporary_files().iter().map(|file| file.display().to_string()));
    if left.is_empty() { Ok(()) } else { Err(format!("left: {}", left.join("\n"))) }
}
