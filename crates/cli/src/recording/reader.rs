//! Reads a recording, whole or cut short, and what `check --json` printed.

use std::io::{self, BufRead, BufReader, Read};

use runner::Event;
use serde::Deserialize;

use super::{About, Fold, Record, SCHEMA, Start};
use crate::judge;

/// The longest line that is read, in bytes. A case's line holds its plan, which is far smaller.
const LONGEST: u64 = 64 << 20;

/// A line that is no record.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The file could not be read.
    #[error("line {line}")]
    Io {
        /// The line, from 1.
        line: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The line is longer than any of ours.
    #[error("line {line}: longer than {LONGEST} bytes")]
    TooLong {
        /// The line, from 1.
        line: u64,
    },
    /// The line is neither a record nor an event.
    #[error("line {line}: neither a record nor an event")]
    NotOurs {
        /// The line, from 1.
        line: u64,
        /// What the reader expected.
        #[source]
        source: serde_json::Error,
    },
    /// The recording is of a format that this program does not know.
    #[error("line {line}: the format is {schema:?}, and this version reads {SCHEMA:?}")]
    Schema {
        /// The line, from 1.
        line: u64,
        /// What it names.
        schema: String,
    },
    /// There is no record at all.
    #[error("no record in it")]
    Empty,
}

/// A line, whichever of the two kinds.
enum Line {
    Record(Box<Record>),
    Event(Box<Event>),
}

/// Reads all records into `fold`. A last line without newline was cut off by a crash and is left out.
pub(crate) fn read(file: impl Read, fold: &mut Fold) -> Result<(), ReadError> {
    let mut file = BufReader::new(file);
    let mut bare = Bare::default();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = file.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        read.map_err(|source| ReadError::Io { line, source })?;
        if bytes.last() != Some(&b'\n') {
            if bytes.len() as u64 == LONGEST {
                return Err(ReadError::TooLong { line });
            }
            break;
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match parse(&bytes) {
            Ok(Line::Record(record)) => {
                if let Record::Started(Start { schema, .. }) = record.as_ref()
                    && schema != SCHEMA
                {
                    return Err(ReadError::Schema { line, schema: schema.clone() });
                }
                fold.record(*record);
            }
            Ok(Line::Event(event)) => bare.event(*event, fold),
            // `check --json` closes with its report, whose outcome the last event already told.
            Err(_) if bare.run.is_some() && is_report(&bytes) => {}
            Err(source) => return Err(ReadError::NotOurs { line, source }),
        }
    }
    if fold.recorded().cases.is_empty() && fold.recorded().start.schema.is_empty() {
        return Err(ReadError::Empty);
    }
    Ok(())
}

fn parse(bytes: &[u8]) -> Result<Line, serde_json::Error> {
    // Asked for by hand, since an untagged enum's error says nothing about what was wrong.
    #[derive(Deserialize)]
    struct Kind {
        event: Option<serde_json::Value>,
        record: Option<String>,
    }
    let kind: Kind = serde_json::from_slice(bytes)?;
    match (kind.record, kind.event) {
        (None, Some(serde_json::Value::String(_))) => {
            serde_json::from_slice(bytes).map(|event| Line::Event(Box::new(event)))
        }
        _ => serde_json::from_slice(bytes).map(|record| Line::Record(Box::new(record))),
    }
}

fn is_report(bytes: &[u8]) -> bool {
    serde_json::from_slice::<crate::report::json::Report>(bytes).is_ok()
}

/// Events without records around them: each `run-started` begins a case of a check. They carry no
/// time of day, so that the durations are laid end to end.
#[derive(Default)]
struct Bare {
    run: Option<usize>,
    clock_ms: u64,
    phase_began_ms: u64,
}

impl Bare {
    fn event(&mut self, event: Event, fold: &mut Fold) {
        if let Event::RunStarted { environment, base, builder, commit, .. } = &event {
            if self.run.is_none() {
                fold.record(Record::Started(Start {
                    schema: SCHEMA.to_owned(),
                    command: "check".to_owned(),
                    commit: commit.clone(),
                    ..Start::default()
                }));
            }
            let case = self.run.map_or(0, |case| case + 1);
            let about = Box::new(About {
                name: format!("{environment} on {base}"),
                environment: environment.clone(),
                base: base.clone(),
                builder: builder.clone(),
                ..About::default()
            });
            fold.record(Record::Case { case, about });
            fold.record(Record::Attempt { case, at_ms: self.clock_ms, number: 1 });
            self.run = Some(case);
        }
        let Some(case) = self.run else { return };
        match &event {
            Event::PhaseStarted { .. } => self.phase_began_ms = self.clock_ms,
            Event::PhaseFinished { duration_ms, .. } => {
                self.clock_ms = self.clock_ms.max(self.phase_began_ms + duration_ms);
            }
            Event::StepUpdated { state, .. } => self.clock_ms += took(state),
            Event::SmokeFinished { duration_ms, .. } => self.clock_ms += duration_ms,
            _ => {}
        }
        let at_ms = self.clock_ms;
        let outcome = match &event {
            Event::RunFinished { outcome } => Some(Box::new(outcome.clone())),
            _ => None,
        };
        fold.record(Record::Event { case, at_ms, event: Box::new(event) });
        if let Some(outcome) = outcome {
            let judgement = judge::judge(&judge::Expect::Pass, &outcome, &[]);
            let outcome = Some(outcome);
            fold.record(Record::Judged { case, at_ms, shared_with: None, outcome, judgement });
            let exit = fold.recorded().status().number();
            fold.record(Record::Finished { at_ms, exit });
        }
    }
}

const fn took(state: &runner::StepState) -> u64 {
    match state {
        runner::StepState::Running => 0,
        runner::StepState::Done { duration_ms, .. } | runner::StepState::Failed { duration_ms } => {
            *duration_ms
        }
    }
}
