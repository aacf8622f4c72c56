//! GitHub's workflow commands. A step shows ten errors and ten warnings and drops the rest without
//! a word, so that the last of ten says how many more there are.

use super::annotations::{Annotation, annotations};
use crate::recording::Recorded;
use environment::Severity;

/// How many annotations of one level a step shows.
const MOST: usize = 10;

/// One command a line; each line of it is a command, so that nothing in a log can be another one.
pub(crate) fn commands(recorded: &Recorded) -> String {
    let all = annotations(recorded);
    [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .flat_map(|level| {
            let of_level: Vec<&Annotation> =
                all.iter().filter(|annotation| annotation.level == level).collect();
            let shown = if of_level.len() > MOST { MOST - 1 } else { of_level.len() };
            let mut lines: Vec<String> = of_level[..shown].iter().map(|a| command(a)).collect();
            if of_level.len() > shown {
                let more = of_level.len() - shown;
                lines.push(format!(
                    "::{}::{}\n",
                    word(level),
                    data(&format!("and {more} more: see the job summary or another report"))
                ));
            }
            lines
        })
        .collect()
}

fn command(annotation: &Annotation) -> String {
    let Annotation { level, title, message, place, .. } = annotation;
    let mut properties = vec![format!("title={}", property(title))];
    if let Some((file, line, column)) = place {
        properties.push(format!("file={},line={line},col={column}", property(file)));
    }
    format!("::{} {}::{}\n", word(*level), properties.join(","), data(message))
}

const fn word(level: Severity) -> &'static str {
    match level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

/// A command's message: one line, whatever is in it.
fn data(text: &str) -> String {
    let escaped = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    escaped.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

/// A command's property: also without what ends one.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_begin_a_command_of_its_own() {
        let annotation = Annotation {
            level: Severity::Error,
            code: "unclassified".to_owned(),
            title: "a, b: c\n::error::x".to_owned(),
            message: "100%\r\n::set-output name=x::y\u{1b}[0m".to_owned(),
            place: Some(("a,b:c.yaml".to_owned(), 3, 1)),
        };
        assert_eq!(
            command(&annotation),
            "::error title=a%2C b%3A c%0A%3A%3Aerror%3A%3Ax,file=a%2Cb%3Ac.yaml,line=3,col=1\
             ::100%25%0D%0A::set-output name=x::y\u{FFFD}[0m\n"
        );
    }
}
