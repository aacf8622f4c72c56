//! Faults to findings: excerpt, chain of imports, order, no fault twice.

use std::collections::HashSet;

use crate::fault::{At, Fault};
use crate::files::Files;
use crate::limits::FINDINGS;
use crate::yaml::Span;
use crate::{Code, Excerpt, Finding, Place, Related};

/// Collects the findings of a run.
pub(crate) struct Report<'f> {
    files: &'f Files<'f>,
    seen: HashSet<(Code, At, String)>,
    findings: Vec<Finding>,
    dropped: usize,
}

impl<'f> Report<'f> {
    pub(crate) fn new(files: &'f Files<'f>) -> Self {
        Self { files, seen: HashSet::new(), findings: Vec::new(), dropped: 0 }
    }

    /// Adds a fault. One that several agents reach through the same fragment is added once, with
    /// the imports of the first.
    pub(crate) fn add<'v>(&mut self, fault: &Fault, via: impl FnOnce(&Fault) -> &'v [Span]) {
        if !self.seen.insert((fault.code, fault.at.clone(), fault.message.clone())) {
            return;
        }
        if self.findings.len() >= FINDINGS {
            self.dropped += 1;
            return;
        }
        let imports = via(fault).iter().map(|span| self.related(*span, "imported here"));
        let others = fault.related.iter().map(|(span, message)| self.related(*span, message));
        let related = others.chain(imports).collect();
        let (place, excerpt) = match &fault.at {
            At::Nowhere => (None, None),
            At::File(path) => (Some(Place { file: path.clone(), line: 1, column: 1 }), None),
            At::Span(span) => (Some(self.files.place(*span)), Some(self.excerpt(*span))),
        };
        self.findings.push(Finding {
            code: fault.code,
            severity: fault.code.severity(),
            place,
            message: fault.message.clone(),
            expected: fault.expected.as_ref().map(|text| text.clone().into_owned()),
            hint: fault.hint.as_ref().map(|text| text.clone().into_owned()),
            excerpt,
            related,
        });
    }

    /// All findings in the order of file, line and column; what stands in no file comes first.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        if self.dropped > 0 {
            let message = format!("{} more findings are not shown", self.dropped);
            let fault = Fault::anywhere(Code::DefinitionLimit, At::Nowhere, message)
                .hint("mend the first ones and run again");
            self.dropped = 0;
            self.findings.pop();
            self.add(&fault, |_| &[]);
        }
        self.findings
            .sort_by(|a, b| (&a.place, a.code, &a.message).cmp(&(&b.place, b.code, &b.message)));
        self.findings
    }

    fn related(&self, span: Span, message: &str) -> Related {
        Related { place: self.files.place(span), message: message.to_owned() }
    }

    fn excerpt(&self, span: Span) -> Excerpt {
        let text = &self.files.get(span.file).text;
        let len = (span.len > 0).then_some(span.len as usize);
        Excerpt::around(text, span.offset as usize, len)
    }
}
