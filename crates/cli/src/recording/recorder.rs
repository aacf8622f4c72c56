//! Takes what happens during a run: folds it for the reports, and writes it where a recording was asked for.

use std::io;
use std::path::Path;
use std::time::{Instant, SystemTime};

use runner::{Event, Outcome, Reporter};

use super::{About, Fold, Record, Recorded, SCHEMA, Start, Writer};
use crate::exit::Status;
use crate::fault::Fault;
use crate::judge::Judgement;

/// A recording that is being made.
pub(crate) struct Recorder {
    began: Instant,
    fold: Fold,
    writer: Option<Writer>,
}

impl Recorder {
    /// Begins. With a `path` every record is also written to `path.partial` at once.
    pub(crate) fn begin(path: Option<&Path>, start: Start) -> Result<Self, Fault> {
        let writer = path.map(|path| {
            Writer::create(path).map_err(|error| {
                Fault::usage(format!("recording {}: {error}", path.display()))
                    .hint("give `--record` a file in a folder that exists and can be written")
            })
        });
        let mut recorder =
            Self { began: Instant::now(), fold: Fold::default(), writer: writer.transpose()? };
        recorder
            .record(Record::Started(Start {
                schema: SCHEMA.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
                ..start
            }))
            .map_err(|error| broken(&error))?;
        Ok(recorder)
    }

    /// Announces a case and gives its number.
    pub(crate) fn case(&mut self, about: About) -> io::Result<usize> {
        let case = self.fold.recorded().cases.len();
        self.record(Record::Case { case, about: Box::new(about) })?;
        Ok(case)
    }

    /// A definition file's text.
    pub(crate) fn file(&mut self, path: String, text: String) -> io::Result<()> {
        self.record(Record::File { path, text })
    }

    /// A try of a case begins.
    pub(crate) fn attempt(&mut self, case: usize, number: u32) -> io::Result<()> {
        self.record(Record::Attempt { case, at_ms: self.at_ms(), number })
    }

    /// A case has its verdict.
    pub(crate) fn judged(
        &mut self,
        case: usize,
        shared_with: Option<usize>,
        outcome: Option<&Outcome>,
        judgement: Judgement,
    ) -> io::Result<()> {
        let outcome = outcome.cloned().map(Box::new);
        let at_ms = self.at_ms();
        self.record(Record::Judged { case, at_ms, shared_with, outcome, judgement })
    }

    /// Something happened in a case.
    pub(crate) fn event(&mut self, case: usize, event: &Event) -> io::Result<()> {
        self.record(Record::Event { case, at_ms: self.at_ms(), event: Box::new(event.clone()) })
    }

    /// Ends the recording; the file gets its name.
    pub(crate) fn finish(mut self, status: Status) -> Result<Recorded, Fault> {
        self.record(Record::Finished { at_ms: self.at_ms(), exit: status.number() })
            .and_then(|()| self.writer.take().map_or(Ok(()), Writer::finish))
            .map_err(|error| broken(&error))?;
        Ok(self.fold.into_recorded())
    }

    /// What was recorded so far.
    pub(crate) const fn recorded(&self) -> &Recorded {
        self.fold.recorded()
    }

    fn record(&mut self, record: Record) -> io::Result<()> {
        let written = self.writer.as_mut().map_or(Ok(()), |writer| writer.record(&record));
        self.fold.record(record);
        written
    }

    fn at_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The disk is full or the folder went away: what was promised cannot be kept.
pub(crate) fn broken(error: &io::Error) -> Fault {
    Fault::usage(format!("the recording could not be written: {error}"))
        .hint("give `--record` a file on a disk with room")
}

/// Passes what happens on to another reporter, after it was recorded.
pub(crate) struct Tee<'a> {
    /// The recording.
    pub(crate) recorder: &'a mut Recorder,
    /// The case that it happens in.
    pub(crate) case: usize,
    /// Who else wants to know.
    pub(crate) other: &'a mut dyn Reporter,
}

impl Reporter for Tee<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.recorder.event(self.case, event)?;
        self.other.event(event)
    }
}
