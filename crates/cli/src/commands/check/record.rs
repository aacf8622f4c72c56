//! What a `check` puts into its recording: the definition files, and one case for each plan.

use environment::Source;
use runner::Outcome;

use super::Settings;
use super::run::Trial;
use crate::definitions::{Definitions, Shared};
use crate::fault::Fault;
use crate::judge::{self, Expect};
use crate::recording::{About, Recorder, Start, broken};
use crate::report::json::{self, FindingRow};

/// The longest definition file whose text is recorded, in bytes; a longer one is shown without it.
const LONGEST: u64 = 256 * 1024;

impl Trial<'_> {
    /// Begins the recording.
    pub(super) fn begin_recording(&self) -> Result<Recorder, Fault> {
        let start = Start {
            command: "check".to_owned(),
            repository: self.repository.name(),
            commit: Some(self.commit.to_owned()),
            dirty: self.settings.allow_dirty,
            ..Start::default()
        };
        self.settings.reports.recorder(start)
    }

    /// Records the definition files, and a case for each plan.
    pub(super) fn announce(
        &self,
        recorder: &mut Recorder,
        source: &dyn Source,
        definitions: &Definitions,
    ) -> Result<(), Fault> {
        let all = definitions.files().into_iter().try_for_each(|path| {
            let Ok(bytes) = source.read(&path, LONGEST) else { return Ok(()) };
            recorder.file(path.to_string(), String::from_utf8_lossy(&bytes).into_owned())
        });
        all.and_then(|()| {
            definitions.plans.iter().try_for_each(|shared| {
                recorder.case(about(shared, definitions, self.settings)).map(drop)
            })
        })
        .map_err(|error| broken(&error))
    }
}

/// The outcome of one plan.
pub(super) fn outcome(
    recorder: &mut Recorder,
    case: usize,
    outcome: &Outcome,
) -> Result<(), Fault> {
    let findings = recorder.recorded().cases.get(case).map(|case| case.about.findings.clone());
    let judgement = judge::judge(&Expect::Pass, outcome, &findings.unwrap_or_default());
    let judged = recorder.judged(case, None, Some(outcome), judgement);
    judged.map_err(|error| broken(&error))
}

/// Nothing could be tried: every plan has this outcome, and so has a case of its own where there is no plan.
pub(super) fn unproven(
    recorder: &mut Recorder,
    definitions: &Definitions,
    outcome: &Outcome,
) -> Result<(), Fault> {
    if recorder.recorded().cases.is_empty() {
        let findings = json::rows(&definitions.findings);
        let name = "definitions".to_owned();
        let case = recorder.case(About { name, findings, ..About::default() });
        case.map_err(|error| broken(&error))?;
    }
    for case in 0..recorder.recorded().cases.len() {
        self::outcome(recorder, case, outcome)?;
    }
    Ok(())
}

fn about(shared: &Shared, definitions: &Definitions, settings: &Settings) -> About {
    let plan = &shared.plan;
    let base = settings.base.clone().unwrap_or_else(|| plan.base.reference.clone());
    About {
        name: format!("{} on {base}", plan.environment),
        environment: plan.environment.clone(),
        agents: shared.agents.clone(),
        base,
        builder: "auto".to_owned(),
        folder: String::new(),
        expect: Expect::Pass,
        dockerfile: planner::render(plan, planner::ContextRoot::Checkout),
        findings: of_plan(shared, definitions),
        plan: Some(Box::new(plan.clone())),
    }
}

/// The findings in the files of one plan, and those that stand in no file.
fn of_plan(shared: &Shared, definitions: &Definitions) -> Vec<FindingRow> {
    let of_plan = definitions.findings.iter().filter(|finding| {
        finding
            .place
            .as_ref()
            .is_none_or(|place| shared.plan.sources.iter().any(|source| source.path == place.file))
    });
    of_plan.map(FindingRow::from).collect()
}
