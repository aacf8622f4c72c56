//! The base, read before anything is built: a base that is certain to be refused needs no build, and
//! where both were done, what was read must equal what was executed.

use std::time::Instant;

use contract::{Answer, Check, Silence};
use image::{Depth, Inspection, Options, Places};
use planner::NotProven;
use runner::{
    Builder, CheckRequest, Engine, Level, Outcome, PhaseTime, PullPolicy, Verdict, source_place,
};
use triage::{Code, Failure, Phase};

use crate::kept;

/// What the base's files say, and how long reading them took.
pub(super) struct Reading {
    inspection: Inspection,
    builder: Builder,
    took_ms: u64,
}

impl Reading {
    /// Reads `base` where the engine would take it from. `None` when it cannot be read: the build
    /// then finds out, and says whose fault it is.
    pub(super) async fn of(base: &str, engine: &Engine, pull: PullPolicy) -> Option<Self> {
        let began = Instant::now();
        let options = Options {
            depth: Depth::Verdict,
            places: Places::EngineOrRegistry,
            engine: image::Engine::Found(engine.client().clone()),
            kept: kept::folder(),
            ..Options::default()
        };
        // What the engine has may be older than what it is about to pull.
        if pull == PullPolicy::Always {
            return None;
        }
        let inspection = image::inspect(base, &options).await.ok()?;
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Some(Self { inspection, builder: engine.describe().builder, took_ms })
    }

    /// What this engine's builder would meet.
    fn answer(&self) -> &Answer {
        let verdict = &self.inspection.verdict;
        match (self.builder, &verdict.classic) {
            (Builder::Classic, Some(classic)) => classic,
            (Builder::Classic | Builder::Buildkit, _) => &verdict.answer,
        }
    }

    /// The outcome, when the base is certain to be refused.
    pub(super) fn refusal(&self, request: &CheckRequest) -> Option<Outcome> {
        let plan = &request.plan;
        let (code, reason, marker) = match self.answer() {
            Answer::Refused { check, marker, reason } => {
                (Code::from(*check), reason, Some(marker.clone()))
            }
            Answer::Silent { cause, reason } => (silence(*cause)?, reason, None),
            Answer::Accepted | Answer::Unreadable { .. } => return None,
        };
        // An image for another platform is refused when it is pulled.
        let phase = if code == Code::WrongPlatform { Phase::Pull } else { Phase::Probe };
        let mut failure = Failure::new(code, phase, code.summary().to_owned());
        failure.evidence = vec![triage::Evidence { line: 1, text: reason.clone() }];
        failure.marker = marker;
        // With `--base`, the author's line is not what was tried.
        failure.source = plan.base.place().filter(|_| request.base.is_none()).map(source_place);
        failure.hint = Some(
            "choose a base that meets the contract; `--no-static` builds on this one all the same"
                .to_owned(),
        );
        Some(Outcome {
            schema: "outcome/1".to_owned(),
            verdict: Verdict::Failed,
            level: match self.inspection.verdict.level {
                contract::Level::Predicted => Level::Predicted,
                contract::Level::Read | contract::Level::Executed => Level::Read,
            },
            failure: Some(failure),
            phases: vec![PhaseTime { phase, duration_ms: self.took_ms, cached: false }],
            image: None,
            plan_digest: plan.digest.clone(),
            not_proven: not_proven(request),
        })
    }

    /// What was read against what was executed; `None` when they agree or one of them does not say.
    pub(super) fn disagreement(&self, outcome: &Outcome) -> Option<String> {
        let executed = Executed::of(outcome)?;
        let read = match self.answer() {
            Answer::Unreadable { .. } => return None,
            Answer::Accepted => Executed::Passed,
            Answer::Refused { check, .. } => Executed::Refused(*check),
            Answer::Silent { .. } => Executed::Silent,
        };
        (read != executed).then(|| {
            format!(
                "reading the base said {read}, building on it said {executed}: a fault of Drydock's; please report it with the base {} ({})",
                self.inspection.origin.name,
                self.inspection.origin.digest.as_deref().unwrap_or("no digest"),
            )
        })
    }
}

/// What a refusal from the base's files leaves open.
fn not_proven(request: &CheckRequest) -> Vec<NotProven> {
    let nothing_ran = NotProven {
        what: "nothing-built".to_owned(),
        why: "nothing was built: steps, setup and smoke commands were not tried".to_owned(),
    };
    let other_base = request.base.as_ref().map(|base| NotProven {
        what: "authored-base".to_owned(),
        why: format!("this run tried {base} in place of {}", request.plan.base.reference),
    });
    std::iter::once(nothing_ran).chain(other_base).collect()
}

/// The code of what the engine would say. What fails behind the checks is left to the engine: how it
/// fails is more than the files tell.
const fn silence(cause: Silence) -> Option<Code> {
    match cause {
        Silence::Platform => Some(Code::WrongPlatform),
        Silence::Account => Some(Code::UserUnknown),
        Silence::Groups => Some(Code::GroupFileMissing),
        Silence::Shell => Some(Code::NoShell),
        Silence::ShellLoop => Some(Code::ShellLinkLoop),
        Silence::BehindChecks => None,
    }
}

/// What became of the probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Executed {
    Passed,
    Refused(Check),
    Silent,
}

impl Executed {
    /// `None` when the run did not get as far as the probe.
    fn of(outcome: &Outcome) -> Option<Self> {
        let Some(failure) = &outcome.failure else { return Some(Self::Passed) };
        if failure.phase > Phase::Probe {
            return Some(Self::Passed);
        }
        // A probe that was stopped, or that the engine could not run, says nothing about the base.
        if failure.phase < Phase::Probe || failure.owner != triage::Owner::BaseImage {
            return None;
        }
        let check = Check::ALL.into_iter().find(|check| Code::from(*check) == failure.code);
        Some(check.map_or(Self::Silent, Self::Refused))
    }
}

impl std::fmt::Display for Executed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Passed => f.write_str("that the contract is met"),
            Self::Refused(check) => write!(f, "that check {} fails", check.name()),
            Self::Silent => f.write_str("that the probe cannot print a marker"),
        }
    }
}
