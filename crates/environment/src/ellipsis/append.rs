//! `image.dockerfile_append`: instructions that must all be `RUN`.
//!
//! A scan of verbs only. What a `RUN` holds is the builder's business; what is known here are
//! comments, continued lines and here-documents, because they decide where an instruction starts.

use crate::fault::{Fault, quote};
use crate::standalone::definition::Definition;
use crate::yaml::Node;
use crate::{Code, Text};

/// One instruction, as a range of the text.
#[derive(Debug, PartialEq, Eq)]
struct Instruction {
    start: usize,
    end: usize,
    /// Why it does not end where the text does.
    open: Option<Open>,
}

/// What never ends.
#[derive(Debug, PartialEq, Eq)]
enum Open {
    Continuation,
    HereDocument(String),
}

/// The `RUN` instructions of the text; every other one is a finding.
pub(super) fn read(definition: &mut Definition<'_>, node: &Node, text: &Text) -> Vec<Text> {
    let mut runs = Vec::new();
    for instruction in split(&text.value) {
        let written = &text.value[instruction.start..instruction.end];
        let verb_at = instruction.start + written.len() - written.trim_start().len();
        let verb: String =
            written.trim_start().chars().take_while(|c| !c.is_whitespace()).collect();
        let at = definition.trace.within(node, text, verb_at, verb.chars().count());
        if !verb.eq_ignore_ascii_case("RUN") {
            let fault = match advice(&verb.to_ascii_uppercase()) {
                Some(advice) => {
                    let message =
                        format!("`{}` in `image.dockerfile_append`", verb.to_ascii_uppercase());
                    Fault::new(Code::DockerfileVerb, at, message).hint(advice)
                }
                None => {
                    let message = format!("{} starts no Dockerfile instruction", quote(&verb));
                    Fault::new(Code::DockerfileSyntax, at, message)
                        .hint("put `RUN` in front, or end the line before with `\\`")
                }
            };
            definition.push(fault.expected("`RUN` and nothing else"));
            continue;
        }
        if written.trim_start()[verb.len()..].trim().is_empty() {
            let fault = Fault::new(Code::DockerfileSyntax, at, "`RUN` without a command");
            definition.push(fault.expected("a command behind `RUN`"));
        }
        match &instruction.open {
            Some(Open::Continuation) => {
                let fault = Fault::new(Code::DockerfileSyntax, at, "the last line ends in `\\`");
                definition.push(fault.hint("remove it: nothing follows"));
            }
            Some(Open::HereDocument(word)) => {
                let message = format!("the here-document {} never ends", quote(word));
                let fault = Fault::new(Code::DockerfileSyntax, at, message);
                definition.push(fault.hint(format!("end it with a line that is `{word}`")));
            }
            None => {}
        }
        runs.push(definition.trace.part(text, instruction.start, instruction.end));
    }
    runs
}

/// What to do instead of an instruction that the platform refuses; `None` for what is none.
fn advice(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "FROM" => "the platform owns the base, and there is one stage",
        "USER" => "the platform owns the account; start what needs another with `su` in a `RUN`",
        "WORKDIR" => "the platform owns the working directory; write `cd` in the `RUN`",
        "ENTRYPOINT" | "CMD" => "the platform owns the entry point; use `hooks.post_start`",
        "COPY" | "ADD" => "there is no build context; the repositories are there in `image.setup`",
        "ENV" => "write a literal under `variables`, or `export` it in the `RUN` that needs it",
        "ARG" => "write the value into the `RUN`",
        "SHELL" => "start the other shell in the `RUN`",
        "LABEL" | "MAINTAINER" => "write labels under `ellipsis.metadata`",
        "EXPOSE" | "VOLUME" | "HEALTHCHECK" | "STOPSIGNAL" | "ONBUILD" => {
            "it has no effect in a sandbox; remove it"
        }
        _ => return None,
    })
}

/// The instructions of a text. Comments and blank lines belong to none.
fn split(text: &str) -> Vec<Instruction> {
    let mut found: Vec<Instruction> = Vec::new();
    let mut lines = offsets(text).peekable();
    while let Some((start, line)) = lines.next() {
        if is_skipped(line) {
            continue;
        }
        let mut end = start + line.len();
        let mut words = String::from(line);
        let mut open = continues(line).then_some(Open::Continuation);
        // Blank lines and comments between continued lines are taken out by the builder.
        while open.is_some() {
            let Some((at, next)) = lines.next() else { break };
            end = at + next.len();
            if is_skipped(next) {
                continue;
            }
            words.push('\n');
            words.push_str(next);
            open = continues(next).then_some(Open::Continuation);
        }
        for (word, strip_tabs) in here_documents(&words) {
            open = Some(Open::HereDocument(word.clone()));
            for (at, next) in lines.by_ref() {
                end = at + next.len();
                let next = next.trim_end_matches('\r');
                let next = if strip_tabs { next.trim_start_matches('\t') } else { next };
                if next == word {
                    open = None;
                    break;
                }
            }
        }
        found.push(Instruction { start, end, open });
    }
    found
}

/// The lines of a text with where each starts.
fn offsets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

fn is_skipped(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn continues(line: &str) -> bool {
    line.trim_end_matches([' ', '\t', '\r']).ends_with('\\')
}

/// The words that end the here-documents of a `RUN`, in order, and whether tabs are taken off their lines.
fn here_documents(instruction: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut rest = instruction;
    while let Some(at) = rest.find("<<") {
        let before = rest[..at].chars().next_back();
        rest = &rest[at + 2..];
        // `<<<` is a here-string, and `$((1<<2))` is arithmetic: neither has a word right behind.
        if before == Some('<') || rest.starts_with('<') {
            rest = rest.trim_start_matches('<');
            continue;
        }
        let strip_tabs = rest.starts_with('-');
        let word = rest.strip_prefix('-').unwrap_or(rest);
        let quote = word.chars().next().filter(|c| matches!(c, '"' | '\''));
        let word = quote.map_or(word, |_| &word[1..]);
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let word: String = word.chars().take_while(|c| name(*c)).collect();
        let starts = word.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if starts {
            found.push((word, strip_tabs));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        split(text).iter().map(|part| &text[part.start..part.end]).collect()
    }

    #[test]
    fn comments_continued_lines_and_here_documents_belong_together() {
        let text =
            "# first\nRUN a \\\n  # between\n\n  && b\n\nRUN <<EOF\nFROM x\n# kept\nEOF\nrun c\n";
        assert_eq!(
            parts(text),
            ["RUN a \\\n  # between\n\n  && b", "RUN <<EOF\nFROM x\n# kept\nEOF", "run c"]
        );
        assert!(split(text).iter().all(|part| part.open.is_none()));
    }

    #[test]
    fn tabs_quotes_several_documents_and_here_strings() {
        let text =
            "RUN cat <<-'A' <<\"B\"\n\tx\n\tA\ny\nB\nRUN cat <<< word\nRUN echo $((1<<2))\nRUN d";
        assert_eq!(parts(text).len(), 4);
    }

    #[test]
    fn what_never_ends_is_said() {
        assert_eq!(split("RUN a \\\n")[0].open, Some(Open::Continuation));
        assert_eq!(split("RUN cat <<EOF\nx")[0].open, Some(Open::HereDocument("EOF".to_owned())));
    }
}
