//! Whether a step is exactly one instruction, for every builder and wherever it stands.

use environment::{Code, Finding, Text};

use super::verb::{Verb, meant};
use crate::dockerfile::{Fault, Grammar, Instruction, Json, Parsed, parse, read_json};
use crate::found::{Advice as _, in_text};
use crate::script::ARGUMENT_BYTES;

/// The longest line that Dockerfile parsers take, in bytes.
const LINE_BYTES: usize = 65_535;

/// The step's one instruction; `None` when it was found not to be one.
pub(super) fn read(text: &Text, findings: &mut Vec<Finding>) -> Option<(Instruction, Verb)> {
    if let Some(finding) = control_character(text).or_else(|| too_long(text)) {
        findings.push(finding);
        return None;
    }
    findings.extend(directive(text));
    let newest = parse(&text.value, Grammar::SpacedHeredocs);
    let read = one_instruction(text, &newest).and_then(|instruction| {
        let verb = known_verb(text, instruction)?;
        findings.extend(same_for_every_builder(text, &newest)?);
        Ok((instruction.clone(), verb))
    });
    match read {
        Ok(read) => Some(read),
        Err(finding) => {
            findings.push(*finding);
            None
        }
    }
}

/// Boxed, because a finding is large and the good case is not.
type Refused = Box<Finding>;

fn one_instruction<'a>(text: &Text, parsed: &'a Parsed) -> Result<&'a Instruction, Refused> {
    let [first, others @ ..] = parsed.instructions.as_slice() else {
        let message = "this step holds no instruction".to_owned();
        let len = text.value.trim_end().len();
        return Err(Box::new(in_text(Code::StepEmpty, text, 0, len, message)));
    };
    if let Some(second) = others.first() {
        return Err(Box::new(several(text, second)));
    }
    match &parsed.fault {
        None => Ok(first),
        Some(fault) => Err(Box::new(no_end(text, fault))),
    }
}

fn several(text: &Text, second: &Instruction) -> Finding {
    let line = text.value[second.start..].lines().next().unwrap_or_default();
    let at = second.start + (line.len() - line.trim_start().len());
    let (message, hint) = if second.verb.parse::<Verb>().is_ok() {
        ("a second instruction in one step".to_owned(), "write one list entry for each instruction")
    } else {
        (
            format!("the line before ends the instruction, and {:?} starts no other", second.verb),
            "end each line but the last with `\\`, and join commands with `&&`",
        )
    };
    in_text(Code::StepSeveral, text, at, line.trim().len(), message).hint(hint)
}

fn no_end(text: &Text, fault: &Fault) -> Finding {
    let heredoc = text.value.find("<<").unwrap_or(0);
    match fault {
        Fault::Unfinished => {
            let at = text.value.rfind('\\').unwrap_or(0);
            let message =
                "the last line continues, so that this step would swallow the line behind it";
            in_text(Code::StepUnfinished, text, at, 1, message.to_owned())
                .hint("remove the last backslash")
        }
        Fault::OpenHeredoc { name } => {
            let message =
                format!("no line of this step is {name:?}, which would end the here-document");
            in_text(Code::StepHeredocOpen, text, heredoc, 2, message)
        }
        Fault::BadHeredoc => {
            let message = "the name behind `<<` cannot be read".to_owned();
            in_text(Code::StepMalformed, text, heredoc, 2, message)
        }
    }
}

fn known_verb(text: &Text, instruction: &Instruction) -> Result<Verb, Refused> {
    let word = instruction.verb.as_str();
    if let Ok(verb) = word.parse() {
        return Ok(verb);
    }
    let at = instruction.start + text.value[instruction.start..].find(word).unwrap_or(0);
    let hint = match meant(word) {
        Some(verb) => format!("did you mean `{}`?", verb.name()),
        None if !word.is_ascii() => {
            "retype the line: it holds a character that looks like a blank, or like nothing"
                .to_owned()
        }
        None => {
            let line = text.value[at..].lines().next().unwrap_or_default();
            format!("shell commands stand behind `RUN`: `RUN {}`", shorten(line))
        }
    };
    let message = format!("{word:?} is no Dockerfile instruction");
    let finding = in_text(Code::StepUnknownInstruction, text, at, word.len(), message);
    Err(Box::new(finding.expected("an instruction such as `RUN`").hint(hint)))
}

/// A here-document is one instruction to a new builder and many to an old one. The old one must
/// notice, which it does when one of the lines is no instruction at all.
fn same_for_every_builder(text: &Text, newest: &Parsed) -> Result<Option<Finding>, Refused> {
    // A line break may stand between the two signs that open one.
    if !text.value.contains('<') {
        return Ok(None);
    }
    let readings = Grammar::ALL.map(|grammar| parse(&text.value, grammar));
    let heredocs = |parsed: &Parsed| parsed.instructions.iter().any(|one| !one.heredocs.is_empty());
    if !readings.iter().any(|parsed| heredocs(parsed) || parsed.fault.is_some()) {
        return Ok(None);
    }
    let at = text.value.find("<<").unwrap_or(0);
    let [oldest, newer @ ..] = &readings;
    let old_refuses = oldest.instructions.iter().any(|one| one.verb.parse::<Verb>().is_err());
    if newer.iter().all(|parsed| parsed == newest) && old_refuses {
        let message = "a here-document needs a newer BuildKit than Docker 20.10's".to_owned();
        let hint = "write the lines with `printf`, or join commands with `&& \\`";
        return Ok(Some(in_text(Code::StepHeredoc, text, at, 2, message).hint(hint)));
    }
    let message = "builders of different age read this here-document as different instructions";
    Err(Box::new(in_text(Code::StepHeredocAmbiguous, text, at, 2, message.to_owned())))
}

fn control_character(text: &Text) -> Option<Finding> {
    let value = &text.value;
    let odd = |(at, c): &(usize, char)| match c {
        '\n' | '\t' => false,
        '\r' => !value[at + 1..].starts_with('\n'),
        c => c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'),
    };
    let (at, c) = value.char_indices().find(odd)?;
    let message = format!("this step holds the control character U+{:04X}", u32::from(c));
    Some(in_text(Code::StepControlCharacter, text, at, c.len_utf8(), message))
}

fn too_long(text: &Text) -> Option<Finding> {
    let mut start = 0;
    for line in text.value.split('\n') {
        if line.len() > LINE_BYTES {
            let message = format!("a line of {} bytes; builders take {LINE_BYTES}", line.len());
            return Some(in_text(Code::StepTooLong, text, start, 1, message));
        }
        start += line.len() + 1;
    }
    let bytes = text.value.len();
    (bytes > ARGUMENT_BYTES).then(|| {
        let message = format!("a step of {bytes} bytes; more than {ARGUMENT_BYTES} cannot be run");
        in_text(Code::StepTooLong, text, 0, 1, message)
    })
}

/// A directive in the comments above the instruction.
fn directive(text: &Text) -> Option<Finding> {
    let mut start = 0;
    for line in text.value.split('\n') {
        let comment = line.trim_start().strip_prefix('#')?;
        let key = comment.split('=').next().unwrap_or_default().trim();
        let known =
            ["syntax", "escape", "check"].iter().any(|known| known.eq_ignore_ascii_case(key));
        if known && comment.contains('=') {
            let at = start + (line.len() - line.trim_start().len());
            let message = format!(
                "`# {key}=` is a comment here: directives count only at the top of a Dockerfile"
            );
            return Some(in_text(Code::StepDirective, text, at, line.trim().len(), message));
        }
        start += line.len() + 1;
    }
    None
}

/// The start of a line, for a hint.
pub(super) fn shorten(line: &str) -> String {
    let line = line.trim();
    if line.chars().count() <= 60 {
        return line.to_owned();
    }
    let start: String = line.chars().take(57).collect();
    format!("{start}…")
}

/// The arguments in JSON form, where a verb knows one.
pub(super) fn json(verb: Verb, arguments: &str) -> Json {
    match verb {
        Verb::Run
        | Verb::Cmd
        | Verb::Entrypoint
        | Verb::Shell
        | Verb::Volume
        | Verb::Copy
        | Verb::Add => read_json(arguments),
        Verb::Arg
        | Verb::Env
        | Verb::Expose
        | Verb::From
        | Verb::Healthcheck
        | Verb::Label
        | Verb::Maintainer
        | Verb::Onbuild
        | Verb::StopSignal
        | Verb::User
        | Verb::Workdir => Json::No,
    }
}
