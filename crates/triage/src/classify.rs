//! What `drydock check` saw happen to a [`Failure`]: typed errors first, the step's output second.

use crate::closing::{self, Closing};
use crate::decide::{code_of_exit, decide};
use crate::heard::{Heard, Hit};
use crate::rule::Speaker;
use crate::{
    Code, EngineError, Evidence, FailedStep, Failure, Observed, Owner, Phase, adjust, package,
};

/// Lines of evidence beside the deciding one.
const MORE: usize = 3;

/// Says what failed, whose fault it is and whether trying again can help.
///
/// Typed errors decide first; the failed step's own output decides second; what is not recognised
/// is [`Code::Unclassified`] with the right phase, exit code and last lines.
#[must_use]
pub fn classify(observed: &Observed) -> Failure {
    let step = observed.step.as_ref();
    let mut failure =
        typed(observed).unwrap_or_else(|closing| said(observed.phase, &closing, step));
    if let Some(step) = step {
        package::blame(&mut failure, step);
        failure.instruction.get_or_insert_with(|| step.instruction.clone());
        failure.source = failure.source.or_else(|| step.source.clone());
    }
    failure
}

/// What a typed error says alone, or the builder's words that are left to read.
fn typed(observed: &Observed) -> Result<Failure, Closing> {
    let plain = |code: Code, detail: &str| {
        let mut failure = new(code, observed.phase);
        if !detail.is_empty() {
            failure.evidence = vec![crate::heard::shown(1, detail)];
        }
        failure
    };
    match &observed.error {
        EngineError::Cancelled => Ok(plain(Code::Canceled, "")),
        EngineError::TimedOut { limit_s, silent } => {
            let prompt = observed.step.as_ref().and_then(prompt);
            let code = match (&prompt, silent) {
                (Some(_), _) => Code::InteractivePrompt,
                (None, true) => Code::Stalled,
                (None, false) => Code::TimedOut,
            };
            let mut failure = new(code, observed.phase);
            failure.evidence = match prompt {
                Some(line) => vec![line],
                None => observed.step.as_ref().map(|step| heard(step).tail()).unwrap_or_default(),
            };
            failure.summary = format!("{} ({limit_s} s)", code.summary());
            Ok(failure)
        }
        EngineError::WrongPlatform { found } => {
            let mut failure = new(Code::WrongPlatform, observed.phase);
            failure.summary = format!("{}: {found}", Code::WrongPlatform.summary());
            Ok(failure)
        }
        EngineError::Context { message } => Ok(plain(Code::BuildContext, message)),
        EngineError::EngineGone { message } => {
            let hits = engine_hits(message);
            let code = decide(hits.hits(), Speaker::Engine, None)
                .map(|hit| hit.rule().code)
                .filter(|code| matches!(code, Code::DaemonAccess | Code::BuildkitConnection));
            Ok(plain(code.unwrap_or(Code::EngineGone), message))
        }
        EngineError::Exit { oom_killed: true, code } => {
            let mut failure = plain(Code::Oom, "");
            failure.exit_code = Some(*code);
            Ok(failure)
        }
        EngineError::Exit { oom_killed: false, code } => {
            Err(Closing { exit: Some(*code), ..Closing::default() })
        }
        EngineError::Stream { message } => Err(closing::read(message)),
        EngineError::Status { status, message } => {
            let closing = closing::read(message);
            let recognised = closing.is_exit()
                || decide(engine_hits(&closing.message).hits(), Speaker::Engine, None).is_some();
            let by_status = match status {
                401 | 403 => Some(Code::RegistryAuth),
                404 if observed.phase <= Phase::Pull => Some(Code::ManifestUnknown),
                429 => Some(Code::RegistryRateLimit),
                _ => None,
            };
            match by_status {
                Some(code) if !recognised => Ok(plain(code, message)),
                _ => Err(closing),
            }
        }
    }
}

/// What the builder's words and the step's output say.
pub(crate) fn said(phase: Phase, closing: &Closing, step: Option<&FailedStep>) -> Failure {
    let engine = engine_hits(&closing.message);
    let output = step.map(heard).unwrap_or_default();
    weigh(phase, closing, &engine, &output, step.map_or("", |step| &step.instruction))
}

/// Weighs the engine's words and the step's output against each other.
pub(crate) fn weigh(
    phase: Phase,
    closing: &Closing,
    engine: &Heard,
    output: &Heard,
    instruction: &str,
) -> Failure {
    let mut failure = match (phase, output.marker()) {
        (Phase::Probe, Some((line, check))) => {
            let mut failure = new(check.into(), phase);
            let marker = contract::Marker(check).to_string();
            failure.evidence = vec![Evidence { line, text: marker.clone() }];
            failure.marker = Some(marker);
            failure
        }
        _ => by_rules(phase, closing, engine, output),
    };
    failure.exit_code = closing.exit;
    failure.instruction = Some(instruction)
        .filter(|text| !text.is_empty())
        .or(closing.command.as_deref())
        .map(str::to_owned);
    adjust::adjust(&mut failure);
    failure
}

fn by_rules(phase: Phase, closing: &Closing, engine: &Heard, output: &Heard) -> Failure {
    let from_engine = || decide(engine.hits(), Speaker::Engine, None);
    let from_output = |speaker| decide(output.hits(), speaker, closing.exit);
    // An exit code means that the step ran: its own output says why. Anything else is the
    // engine's to explain, also where the classic builder mixes its words into the output.
    let hit = if closing.is_exit() {
        from_output(Speaker::Step)
    } else {
        from_engine().or_else(|| from_output(Speaker::Both))
    };
    if let Some(hit) = hit {
        let mut failure = of_hit(phase, hit);
        let code = hit.rule().code;
        failure.evidence.extend(others(engine.hits().iter().chain(output.hits()), hit, code));
        return failure;
    }
    let code = closing.exit.and_then(code_of_exit).unwrap_or(Code::Unclassified);
    let mut failure = new(code, phase);
    if code == Code::Unclassified {
        failure.owner = owner_of_unknown(phase);
        if let Some(exit) = closing.exit {
            failure.summary = format!("{} ended with exit code {exit}", what_ran(phase));
        }
    }
    failure.evidence = output.tail();
    if failure.evidence.is_empty() {
        failure.evidence = engine.tail();
    }
    failure
}

/// What a phase runs, in words.
const fn what_ran(phase: Phase) -> &'static str {
    match phase {
        Phase::PreBuild | Phase::ImageRef | Phase::Pull | Phase::Export => "the command",
        Phase::Probe => "the contract probe",
        Phase::Bootstrap => "the installation of the platform's packages",
        Phase::AuthoredStep => "the authored step",
        Phase::UserCreation => "making the session's account",
        Phase::MountCopy => "putting the repository in place",
        Phase::Setup => "the setup entry",
        Phase::Smoke => "the smoke command",
    }
}

/// Further lines that say the same as the deciding one.
fn others<'a>(
    hits: impl Iterator<Item = &'a Hit>,
    deciding: &Hit,
    code: Code,
) -> impl Iterator<Item = Evidence> {
    let mut more: Vec<Evidence> = Vec::new();
    for hit in hits.filter(|hit| hit.rule().code == code) {
        if hit.line.line != deciding.line.line
            && more.iter().all(|known| known.line != hit.line.line)
        {
            more.push(hit.line.clone());
        }
    }
    more.truncate(MORE);
    more.into_iter()
}

/// The failure that a line tells.
pub(crate) fn of_hit(phase: Phase, hit: &Hit) -> Failure {
    let rule = hit.rule();
    let mut failure = new(rule.code, phase);
    failure.owner = rule.owner.unwrap_or(failure.owner);
    failure.retry = rule.retry.unwrap_or(failure.retry);
    failure.evidence = vec![hit.line.clone()];
    failure
}

pub(crate) fn new(code: Code, phase: Phase) -> Failure {
    let mut failure = Failure::new(code, phase, code.summary().to_owned());
    failure.hint = Some(code.hint().to_owned());
    failure
}

/// Who looks first at what nobody recognised.
const fn owner_of_unknown(phase: Phase) -> Owner {
    match phase {
        Phase::ImageRef
        | Phase::AuthoredStep
        | Phase::UserCreation
        | Phase::MountCopy
        | Phase::Setup
        | Phase::Smoke => Owner::Author,
        Phase::Probe | Phase::Bootstrap => Owner::BaseImage,
        Phase::PreBuild | Phase::Pull | Phase::Export => Owner::Infrastructure,
    }
}

fn prompt(step: &FailedStep) -> Option<Evidence> {
    let heard = heard(step);
    heard
        .hits()
        .iter()
        .find(|hit| hit.rule().code == Code::InteractivePrompt)
        .map(|hit| hit.line.clone())
}

fn heard(step: &FailedStep) -> Heard {
    let mut heard = Heard::default();
    for (number, line) in (1..).zip(step.output.split('\n')) {
        let line = crate::ansi::strip(line);
        for part in line.split('\r') {
            heard.line(number, part, Speaker::Both, &step.instruction);
        }
    }
    heard
}

fn engine_hits(message: &str) -> Heard {
    let mut heard = Heard::default();
    for (number, line) in (1..).zip(message.lines()) {
        heard.line(number, line, Speaker::Engine, "");
    }
    heard
}
