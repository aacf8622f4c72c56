//! The failing step, found again in the author's file.

use crate::SourcePlace;
use crate::essence::essence;

/// Letters that a shortened text must share with a step to be taken for it.
const SHORTEST: usize = 6;

/// A step as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authored {
    /// The instruction or command.
    pub text: String,
    /// Where it stands.
    pub place: SourcePlace,
}

/// Finds the step that an instruction in a log is.
///
/// Builders join lines, drop comments, write escapes, put a shell in front and cut long texts; all
/// of that is looked through. When a shortened text fits several steps, none is named: a wrong
/// line is worse than none.
#[must_use]
pub fn locate<'a>(instruction: &str, steps: &'a [Authored]) -> Option<&'a Authored> {
    let wanted = essence(instruction);
    let cut = wanted.strip_suffix("...").or_else(|| wanted.strip_suffix('…'));
    let essences = |text: &str| [essence(text), essence(&without_comments(text))];
    let same = |step: &&Authored| essences(&step.text).contains(&wanted);
    if !wanted.is_empty()
        && let Some(step) = one(steps.iter().filter(same))
    {
        return Some(step);
    }
    let wanted = cut.unwrap_or(&wanted);
    if wanted.len() < SHORTEST {
        return None;
    }
    let begins =
        |step: &&Authored| essences(&step.text).iter().any(|text| text.starts_with(wanted));
    one(steps.iter().filter(begins))
}

/// The only one.
fn one<'a>(mut steps: impl Iterator<Item = &'a Authored>) -> Option<&'a Authored> {
    let step = steps.next()?;
    steps.next().is_none().then_some(step)
}

/// A continued instruction without its comment lines.
fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Vec<Authored> {
        let texts = [
            "RUN apt-get update \\\n  # why\n  && apt-get install -y make",
            "RUN <<EOF\napt-get update\napt-get install -y git\nEOF",
            "RUN [\"/bin/sh\", \"-lc\", \"set -eu\\nnpm install\"]",
            "RUN make \"a b\"",
            "RUN echo one",
            "RUN echo two",
        ];
        let place = |line| SourcePlace { file: ".auto/agents/a.yaml".into(), line, column: 7 };
        (10..)
            .zip(texts)
            .map(|(line, text)| Authored { text: text.into(), place: place(line) })
            .collect()
    }

    #[test]
    fn a_step_is_found_however_it_is_shown() {
        let steps = steps();
        for (shown, line) in [
            ("RUN apt-get update   && apt-get install -y make", Some(10)),
            ("/bin/sh -c apt-get update   && apt-get install -y make", Some(10)),
            ("RUN <<EOF (apt-get update...)", Some(11)),
            ("/bin/sh -c apt-get update\\napt-get install -y git\\n", None),
            ("/bin/sh -lc set -eu\nnpm install", Some(12)),
            ("RUN /bin/sh -lc 'set -eu; npm install'", Some(12)),
            ("RUN make \\\"a b\\\"", Some(13)),
            ("RUN echo two", Some(15)),
            ("RUN echo", None),
            ("RUN echo ...", None),
            ("", None),
        ] {
            assert_eq!(locate(shown, &steps).map(|step| step.place.line), line, "{shown}");
        }
    }
}
