//! [`Reader`]: what every field of an agent is read with.

use crate::check::{Checks, Field, at};
use crate::fault::{Fault, quote};
use crate::trace::Trace;
use crate::yaml::Entry;
use crate::{Code, ResourceName, Sourced};

/// Checks values and knows where they come from.
pub(super) struct Reader<'f> {
    pub(super) trace: &'f Trace<'f>,
    pub(super) checks: Checks,
}

impl<'f> Reader<'f> {
    pub(super) fn new(trace: &'f Trace<'f>) -> Self {
        Self { trace, checks: Checks::default() }
    }

    pub(super) fn push(&mut self, fault: Fault) {
        self.checks.push(fault);
    }

    /// A name as the platform takes it: trimmed, 1 to 128 of its characters.
    pub(super) fn name(&mut self, field: Field<'_>, entry: &Entry) -> Option<Sourced<String>> {
        let span = at(entry);
        let text = self.checks.text(field, span, &entry.value)?.trim();
        match text.parse::<ResourceName>() {
            Ok(name) => Some(self.trace.authored(name.into(), span)),
            Err(_) => {
                let message = match text.chars().count() {
                    0 => format!("`{field}` is empty"),
                    count if count > 128 => format!("`{field}` has {count} characters"),
                    _ => format!("{} is not a name", quote(text)),
                };
                let fault = Fault::new(Code::InvalidName, span, message)
                    .expected(ResourceName::EXPECTED)
                    .maybe_hint(mended_name(text).map(|name| format!("write `{name}`")));
                self.push(fault);
                None
            }
        }
    }

    /// A text that is one of a few words.
    pub(super) fn word(
        &mut self,
        code: Code,
        field: Field<'_>,
        entry: &Entry,
        words: &'static [&'static str],
    ) -> Option<&'static str> {
        let span = at(entry);
        let text = self.checks.text(field, span, &entry.value)?;
        let word = words.iter().find(|word| **word == text).copied();
        if word.is_none() {
            let near = crate::fault::nearest(text, words.iter().copied());
            let fault = Fault::new(code, span, format!("`{field}` is {}", quote(text)))
                .expected(crate::check::one_of(words))
                .maybe_hint(near.map(|near| format!("did you mean `{near}`?")));
            self.push(fault);
        }
        word
    }
}

/// A name with everything that is not allowed turned into `-`, if anything is left of it.
fn mended_name(text: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let words: Vec<&str> = text.split(|c| !allowed(c)).filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    name.parse::<ResourceName>().is_ok().then_some(name)
}
