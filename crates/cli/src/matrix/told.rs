//! Where the events of one run go: the recording, the gate of its base, the line that shows what is going on.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;

use runner::{Event, Reporter};
use triage::Phase;

use super::Case;
use super::gate::Pass;
use crate::recording::{Recorder, Start};
use crate::report::board::Board;

/// What the recording begins with.
pub(crate) fn start(cases: &[Case]) -> Start {
    let first = cases.first().map(|case| &case.subject);
    let alone = cases.iter().all(|case| case.subject.folder.is_empty());
    Start {
        // Of several repositories none is the one that was tried.
        repository: first.filter(|_| alone).map_or(String::new(), |subject| subject.name.clone()),
        commit: first.filter(|_| alone).map(|subject| subject.commit.clone()),
        ..Start::default()
    }
}

/// Records the definition files, each once, and all cases.
pub(crate) fn announce(recorder: &mut Recorder, cases: &[Case]) -> io::Result<()> {
    let mut told = BTreeSet::new();
    for case in cases {
        let subject = &case.subject;
        if told.insert(&subject.folder) {
            for (path, text) in &subject.files {
                let path = match subject.folder.as_str() {
                    "" => path.to_string(),
                    folder => format!("{folder}/{path}"),
                };
                recorder.file(path, text.clone())?;
            }
        }
    }
    cases.iter().try_for_each(|case| recorder.case(case.about()).map(drop))
}

/// The reporter of one run.
pub(super) struct Told<'a> {
    pub(super) recorder: &'a RefCell<Recorder>,
    pub(super) board: &'a Board,
    pub(super) case: usize,
    pub(super) pass: Pass,
}

impl Reporter for Told<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.recorder.borrow_mut().event(self.case, event)?;
        match event {
            // A pull that fails ends as a phase, too: only what comes after it shows that the base is there.
            Event::PhaseStarted { phase } if *phase > Phase::Pull => self.pass.open(),
            _ => {}
        }
        self.board.event(self.case, event);
        Ok(())
    }
}
