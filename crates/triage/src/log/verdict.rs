//! How one build of a log ended, and why.

use super::Verdict;
use super::build::{Build, Kind};
use super::ended::{Ended, Identity};
use super::phase;
use super::shape::State;
use super::shell;
use super::step::Step;
use crate::classify::{new, of_hit, weigh};
use crate::closing::{self, Closing};
use crate::decide::decide;
use crate::heard::{Heard, Hit, shown};
use crate::rule::{Speaker, Weight};
use crate::{Code, Failure, Owner, Phase, Retry, adjust};

/// Lines from the end within which a weak word may still be the reason.
const NEAR: u64 = 12;

/// The verdict on a build; `job` is the CI system's last word on all.
pub(super) fn of(build: &Build, job: Option<bool>) -> Ended {
    let failure = (!is_overcome(build, job))
        .then(|| closed(build).or_else(|| failed_step(build)).or_else(|| broken_off(build)))
        .flatten();
    let mut doubtful = false;
    let failure = failure.or_else(|| {
        let (failure, weak) = loose(build, job)?;
        doubtful = weak;
        Some(failure)
    });
    let outcome = match failure {
        Some(failure) => (Verdict::Failed, Some(failure)),
        None if build.well.is_some() || build.finished || all_done(build) => {
            (Verdict::Passed, None)
        }
        None => (Verdict::Inconclusive, None),
    };
    let caught = build.command.as_deref().is_some_and(shell::is_caught);
    let identity = Identity::of(build);
    let Build { tries_again, waived, went_on, by_hand, .. } = *build;
    let (by_job, phase) = (build.exit.is_some(), build.command_phase());
    let spared = caught || waived;
    Ended { outcome, identity, tries_again, went_on, by_job, phase, by_hand, spared, doubtful }
}

/// Whether an error of an engine was followed by the success of another try, without a builder in between.
fn is_overcome(build: &Build, job: Option<bool>) -> bool {
    let Some((failed, ..)) = build.closing else { return false };
    let caught = build.command.as_deref().is_some_and(shell::is_caught);
    let goes_on = build.kind == Kind::Loose && build.exit.is_none() && job != Some(false);
    let later = |well: Option<u64>| well.is_some_and(|well| well > failed);
    goes_on
        && if build.pushes.is_some() {
            later(build.pushed)
        } else {
            later(build.made) && (caught || build.tries_again || build.waived)
        }
}

/// The builder ended with an error.
fn closed(build: &Build) -> Option<Failure> {
    let (number, text, closing) = build.closing.as_ref()?;
    let step = step_of(build, closing);
    if closing.is_exit() {
        let output = step.map_or(&build.loose, |step| &step.heard);
        let mut failure = in_step(build, step, closing, &Heard::default(), output);
        if failure.evidence.is_empty() {
            failure.evidence = vec![shown(*number, text)];
        }
        return Some(failure);
    }
    // In order of trust: the error itself, the failed step's, the step's output, the rest.
    let mut engine = Heard::default();
    engine.line(*number, &closing.message, Speaker::Engine, "");
    let stopped = decide(engine.hits(), Speaker::Engine, None).is_some_and(|hit| {
        matches!(hit.rule().code, Code::Canceled | Code::TimedOut | Code::RunnerLost)
    });
    if (engine.hits().is_empty() || stopped)
        && let Some(prompt) = build.steps.iter().find_map(question)
    {
        return Some(with_step(build, of_hit(Phase::AuthoredStep, prompt.1), Some(prompt.0)));
    }
    if engine.hits().is_empty()
        && let Some(error) = step.and_then(|step| step.error.as_deref())
    {
        engine.line(*number, &closing::read(error).message, Speaker::Engine, "");
    }
    let none = Heard::default();
    let output = match step {
        Some(step) if engine.hits().is_empty() => &step.heard,
        _ => &none,
    };
    if engine.hits().is_empty() && output.hits().is_empty() && !build.loose.hits().is_empty() {
        let failure = in_step(build, step, closing, &build.loose, &none);
        if failure.code != Code::Unclassified {
            return Some(failure);
        }
    }
    Some(in_step(build, step, closing, &engine, output))
}

/// A vertex failed, and the log has no closing error.
fn failed_step(build: &Build) -> Option<Failure> {
    // What writes the cache may fail when the author allows it: then no error ends the build.
    let allowed = |step: &Step| build.quoted && build.well.is_some() && step.writes_cache();
    let step = build.steps.iter().find(|step| step.state == State::Failed && !allowed(step))?;
    let closing = closing::read(step.error.as_deref().unwrap_or(""));
    // The vertex whose head is cut off has no title; the quoted block below it has the output.
    let step = step_of(build, &closing).unwrap_or(step);
    let mut engine = Heard::default();
    engine.line(build.last, &closing.message, Speaker::Engine, "");
    Some(in_step(build, Some(step), &closing, &engine, &step.heard))
}

/// The last step did not end: the classic builder says nothing more after errors of its own, and
/// a question or a time limit leaves no error line at all.
fn broken_off(build: &Build) -> Option<Failure> {
    if build.well.is_some() {
        return None;
    }
    if let Some((step, hit)) = build.steps.iter().find_map(question) {
        return Some(with_step(build, of_hit(Phase::AuthoredStep, hit), Some(step)));
    }
    let step = build.steps.last().filter(|step| step.state == State::Running)?;
    let hit = decide(step.heard.hits(), Speaker::Both, build.exit).filter(|hit| {
        let copies = phase::of_step(&step.title) == Phase::MountCopy;
        hit.rule().weight >= Weight::Plain || build.exit.is_some() || copies
    })?;
    if hit.rule().speaker == Speaker::Step && build.kind == Kind::Buildkit {
        return Some(with_step(build, of_hit(Phase::AuthoredStep, hit), Some(step)));
    }
    // Where no container ran, the job's exit code is not a command's: the builder itself failed.
    let closing = Closing { exit: build.exit.filter(|_| step.running), ..Closing::default() };
    let mut failure = in_step(build, Some(step), &closing, &step.heard, &step.heard);
    failure.exit_code = build.exit;
    Some(failure)
}

/// What was said outside of steps: a pull, a run, or a command of the job; and whether nothing
/// but a weak word says so.
fn loose(build: &Build, job: Option<bool>) -> Option<(Failure, bool)> {
    // What another image's pull says does not make up for a push that was refused.
    let pushes = build.command.as_deref().is_some_and(|command| command.contains("docker push "));
    let well = if pushes { build.pushed } else { build.well };
    let after = |hit: &&Hit| well.is_none_or(|well| hit.line.line > well);
    let hits: Vec<Hit> = build.loose.hits().iter().filter(after).cloned().collect();
    let phase = build.command_phase().unwrap_or(Phase::Smoke);
    let said_to_fail = build.exit.is_some() || job == Some(false) || build.marked.is_some();
    let warns = |hit: &Hit| {
        hit.line.text.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("warning"))
            || hit.line.text.starts_with("WARN")
    };
    let hit = decide(&hits, Speaker::Both, build.exit).filter(|hit| {
        let weight = hit.rule().weight;
        weight >= Weight::Plain
            || said_to_fail
            || weight == Weight::Weak && !warns(hit) && hit.line.line + NEAR >= build.last
    });
    if let Some(hit) = hit {
        let code = hit.rule().code;
        // Who stops a build stops what is going on; without a command, a refusal is a pull's.
        let stopped = matches!(code, Code::Canceled | Code::TimedOut | Code::RunnerLost);
        let running = build.steps.iter().rev().find(|step| step.state == State::Running);
        let phase = match build.command {
            None if code == Code::PullAccessDenied => Phase::Pull,
            _ => phase,
        };
        let step = running.filter(|_| stopped && build.well.is_none());
        let mut failure = with_step(build, of_hit(phase, hit), step);
        failure.exit_code = build.exit;
        return Some((failure, !said_to_fail && hit.rule().weight == Weight::Weak));
    }
    let broken = build.well.is_none() && (build.marked.is_some() || ends_in_error(build));
    if build.exit.is_none() && !broken && job != Some(false) {
        return None;
    }
    let closing = Closing { exit: build.exit, ..Closing::default() };
    let step = build.steps.last().filter(|step| step.state == State::Running);
    let heard = if build.loose.hits().is_empty() { &build.warned } else { &build.loose };
    let heard = if heard.hits().is_empty() { &build.loose } else { heard };
    let mut failure = weigh(phase, &closing, &Heard::default(), heard, "");
    if let Some((number, text)) = &build.marked {
        failure.evidence.push(shown(*number, text));
    }
    failure.phase = step.map_or(phase, |step| phase::of_step(&step.title));
    Some((failure, false))
}

/// Whether the last line behind a command of a container tool tells an error, in words of its own.
fn ends_in_error(build: &Build) -> bool {
    const WORDS: [&str; 8] =
        ["error", "fatal", "failed", "invalid", "unable to", "cannot ", "unknown ", "docker: "];
    let last = build.loose.tail().pop();
    build.command.is_some()
        && last.is_some_and(|line| {
            let line = line.text.to_ascii_lowercase();
            WORDS.iter().any(|word| line.starts_with(word)) || line.ends_with(" is unhealthy")
        })
}

/// Weighs a step's output and the engine's words, and finds the phase.
fn in_step(
    build: &Build,
    step: Option<&Step>,
    closing: &Closing,
    engine: &Heard,
    output: &Heard,
) -> Failure {
    let found = phase_of(build, step, closing);
    let instruction = step.map(Step::instruction).filter(|text| !text.is_empty());
    let instruction = instruction.or(build.framed.as_deref()).unwrap_or("");
    let failure = weigh(found, closing, engine, output, instruction);
    place(build, failure, step)
}

/// The step's text and phase for a line that decided on its own.
fn with_step(build: &Build, mut failure: Failure, step: Option<&Step>) -> Failure {
    if let Some(step) = step {
        failure.phase = phase_of(build, Some(step), &Closing::default());
        failure.instruction = Some(step.instruction().to_owned()).filter(|text| !text.is_empty());
    }
    adjust::adjust(&mut failure);
    place(build, failure, step)
}

/// The last touch: what the phase and the place change about the code.
fn place(build: &Build, mut failure: Failure, step: Option<&Step>) -> Failure {
    let frontend = step.is_some_and(|step| step.title.starts_with("resolve image config"));
    let refused = matches!(
        failure.code,
        Code::RegistryAuth | Code::PullAccessDenied | Code::ManifestUnknown | Code::Unclassified
    );
    if frontend && refused {
        let evidence = std::mem::take(&mut failure.evidence);
        failure = Failure { evidence, ..new(Code::FrontendImage, Phase::PreBuild) };
    }
    // A refusal that says nothing of the way is a push's where something is pushed.
    let pushes = failure.phase == Phase::Export || build.command_phase() == Some(Phase::Export);
    if pushes && matches!(failure.code, Code::RegistryAuth | Code::PullAccessDenied) {
        let evidence = std::mem::take(&mut failure.evidence);
        failure = Failure { evidence, ..new(Code::PushDenied, Phase::Export) };
    }
    if step.is_some_and(Step::writes_cache) && failure.code == Code::Unclassified {
        let evidence = std::mem::take(&mut failure.evidence);
        failure = Failure { evidence, ..new(Code::CacheExport, Phase::Export) };
    }
    // `COPY` and `ADD` run nothing: what is not there is missing in the context.
    if failure.code == Code::FileMissing
        && failure.phase == Phase::MountCopy
        && failure.exit_code.is_none()
    {
        let evidence = std::mem::take(&mut failure.evidence);
        failure = Failure { evidence, ..new(Code::CopyMissing, Phase::MountCopy) };
    }
    // Without a builder, what starts no container started none of a command.
    let starts = matches!(
        failure.code,
        Code::OciRuntime | Code::ContainerConflict | Code::Exit126 | Code::CommandNotFound
    );
    let by_engine = |text: &str| text.contains("rror response from daemon: ");
    let outside = (build.kind == Kind::Loose || build.well.is_some())
        && build.closing.as_ref().is_none_or(|(_, text, _)| by_engine(text));
    if starts && step.is_none() && outside && build.command.is_none() {
        failure.phase = Phase::Smoke;
    }
    let runs = build.closing.as_ref().is_some_and(|(_, text, _)| text.starts_with("docker: "));
    let named = build.closing.as_ref().is_some_and(|(.., closing)| closing.command.is_some());
    let in_own_step = (step.is_some() || named) && failure.exit_code.is_some();
    if failure.code == Code::DaemonAccess && in_own_step {
        // A step that asks for an engine: there is none inside a build.
        failure.owner = Owner::Author;
        failure.retry = Retry::Never;
    } else if failure.code == Code::DaemonAccess {
        failure.phase = if runs { Phase::Smoke } else { Phase::PreBuild };
    }
    failure.phase = phase::of_code(failure.code, failure.phase, step.is_some());
    failure
}

fn phase_of(build: &Build, step: Option<&Step>, closing: &Closing) -> Phase {
    let by_command = build.command_phase().unwrap_or_else(|| {
        let runs = build.closing.as_ref().is_some_and(|(_, text, _)| text.starts_with("docker: "));
        if runs { Phase::Smoke } else { Phase::PreBuild }
    });
    match step {
        Some(step) if !step.title.is_empty() => phase::of_step(&step.title),
        // The head is cut off: the error still has the command.
        Some(step) => {
            let own = closing::read(step.error.as_deref().unwrap_or("")).command;
            let command = closing.command.as_deref().or(own.as_deref());
            command.map_or(Phase::AuthoredStep, of_named)
        }
        None => match &closing.command {
            Some(command) => of_named(command),
            None if closing.message.contains("failed to resolve source metadata for") => {
                Phase::Pull
            }
            None => by_command,
        },
    }
}

/// The phase of a command as an error quotes it.
fn of_named(command: &str) -> Phase {
    if command.starts_with("COPY") || command.starts_with("ADD") {
        return Phase::MountCopy;
    }
    let text = command.strip_prefix("/bin/sh -c ").unwrap_or(command);
    phase::of_step(&format!("RUN {}", text.strip_prefix("RUN ").unwrap_or(text)))
}

/// The step that a closing error means.
fn step_of<'a>(build: &'a Build, closing: &Closing) -> Option<&'a Step> {
    let failed =
        || build.steps.iter().find(|step| step.state == State::Failed && !step.title.is_empty());
    let failed_any = || build.steps.iter().find(|step| step.state == State::Failed);
    let named = closing.command.as_deref();
    let by_command = || {
        let command = named?;
        build.steps.iter().rev().find(|step| step.state != State::Done && step.runs(command))
    };
    let last = || {
        // What had ended well is not what failed after it.
        if build.well.is_some() {
            return None;
        }
        let open = |step: &&Step| step.state == State::Running;
        match build.kind {
            Kind::Linear | Kind::Hosted => build.steps.last(),
            // An error without a step of its own happened in what was going on.
            _ if named.is_some() => build.steps.iter().rev().find(open),
            _ => build
                .steps
                .iter()
                .find(|step| step.state == State::Canceled)
                .or_else(|| build.steps.iter().rev().find(open)),
        }
    };
    // The quoted block and the vertex are one step with two names: the vertex knows more.
    let best = by_command().or_else(failed).or_else(failed_any).or_else(last)?;
    let twin = build.steps.iter().find(|step| {
        !std::ptr::eq(*step, best)
            && best.heard.hits().is_empty()
            && !step.heard.hits().is_empty()
            && step.state == State::Failed
            && (step.title == best.title || best.title.is_empty())
    });
    Some(twin.unwrap_or(best))
}

/// A step that waits for an answer.
fn question(step: &Step) -> Option<(&Step, &Hit)> {
    let waits = |hit: &&Hit| {
        hit.rule().code == Code::InteractivePrompt && hit.rule().weight == Weight::Firm
    };
    (step.state == State::Running)
        .then(|| step.heard.hits().iter().find(waits))?
        .map(|hit| (step, hit))
}

/// BuildKit without an export: everything that began has ended well.
fn all_done(build: &Build) -> bool {
    build.kind == Kind::Buildkit
        && build.steps.len() > 2
        && build.steps.iter().all(|step| step.state == State::Done)
}
