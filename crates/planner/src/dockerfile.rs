//! Splits Dockerfile text into instructions as the builders do.
//!
//! Builders have not always agreed: Docker 20.10 knows no here-documents, and the parsers that came
//! after it recognise them by changing rules. An authored text is taken over byte for byte, so it has to
//! mean the same to all of them; [`Grammar::ALL`] holds one entry for each reading that matters.

mod flags;
mod heredoc;
mod json;
mod words;

pub use heredoc::Heredoc;
pub use json::Json;

pub(crate) use json::read as read_json;
pub(crate) use words::words;

/// How a builder reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// The classic builder and the embedded BuildKit of Docker 20.10: no here-documents.
    Docker20,
    /// The first parsers with here-documents (BuildKit 0.10): `<<EOF` only, few forms of `${…}`.
    FirstHeredocs,
    /// Later ones (BuildKit 0.20): all forms of `${…}`, strict JSON.
    LaterHeredocs,
    /// The newest (BuildKit 0.32): `<< EOF` opens one too.
    SpacedHeredocs,
}

impl Grammar {
    /// All readings, oldest first.
    pub const ALL: [Self; 4] =
        [Self::Docker20, Self::FirstHeredocs, Self::LaterHeredocs, Self::SpacedHeredocs];
}

/// What a text holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// Why the text does not end where it ends. The last instruction is the one concerned.
    pub fault: Option<Fault>,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The byte at which its first line starts. Comments above it are not part of it.
    pub start: usize,
    /// The byte behind its last line, without that line's newline. Here-documents are part of it.
    pub end: usize,
    /// The verb as written.
    pub verb: String,
    /// `--name=value` words between verb and arguments, quotes removed.
    pub flags: Vec<String>,
    /// The rest, its lines joined.
    pub arguments: String,
    /// Here-documents, in order.
    pub heredocs: Vec<Heredoc>,
}

/// Why a text does not end where it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last line continues: whatever stands behind the text becomes part of the instruction.
    Unfinished,
    /// A here-document that no line ends.
    OpenHeredoc {
        /// The line that was waited for.
        name: String,
    },
    /// A word that looks like a here-document, with quotes that do not match.
    BadHeredoc,
}

/// Splits a text that stands behind other instructions: a byte-order mark or a directive
/// (`# escape=`) has no meaning there.
#[must_use]
pub fn parse(text: &str, grammar: Grammar) -> Parsed {
    let mut lines = Lines { text, at: 0 };
    let mut parsed = Parsed { instructions: Vec::new(), fault: None };
    while let Some((start, line)) = lines.next() {
        if is_comment(line) {
            continue;
        }
        let (first, mut continues) = split_continuation(line.trim_start());
        if !continues && first.is_empty() {
            continue;
        }
        let mut joined = first.to_owned();
        while continues {
            let Some((_, line)) = lines.next() else {
                parsed.fault = Some(Fault::Unfinished);
                break;
            };
            if is_comment(line) || line.trim_start().is_empty() {
                continue;
            }
            let (part, more) = split_continuation(line);
            joined.push_str(part);
            continues = more;
        }
        let mut instruction = split_verb(&joined);
        instruction.start = start;
        match heredoc::find(&instruction, &joined, grammar) {
            Ok(opened) => {
                for heredoc in opened {
                    if parsed.fault.is_none() && !lines.skip_heredoc(&heredoc) {
                        parsed.fault = Some(Fault::OpenHeredoc { name: heredoc.name.clone() });
                    }
                    instruction.heredocs.push(heredoc);
                }
            }
            Err(heredoc::Unmatched) => {
                parsed.fault.get_or_insert(Fault::BadHeredoc);
            }
        }
        instruction.end = lines.end_of_last();
        parsed.instructions.push(instruction);
        if parsed.fault.is_some() {
            break;
        }
    }
    parsed
}

/// The lines of a text, each with the byte at which it starts.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let rest = &self.text[start..];
        let len = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
        self.at += len;
        Some((start, rest[..len].trim_end_matches(['\r', '\n'])))
    }

    /// Goes behind the line that ends the here-document; `false` when there is none.
    fn skip_heredoc(&mut self, heredoc: &Heredoc) -> bool {
        while let Some((_, line)) = self.next() {
            let line = if heredoc.strips_tabs { line.trim_start_matches('\t') } else { line };
            if line == heredoc.name {
                return true;
            }
        }
        false
    }

    fn end_of_last(&self) -> usize {
        let read = &self.text[..self.at];
        read.strip_suffix('\n').unwrap_or(read).len()
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// A line without its continuation, and whether it had one: a backslash at the end (blanks and tabs
/// may follow) that no other backslash precedes.
fn split_continuation(line: &str) -> (&str, bool) {
    match line.trim_end_matches([' ', '\t']).strip_suffix('\\') {
        Some(rest) if !rest.ends_with('\\') => (rest, true),
        _ => (line, false),
    }
}

/// Verb, flags and arguments of a joined line.
fn split_verb(joined: &str) -> Instruction {
    let line = joined.trim();
    let blank = |c: char| matches!(c, '\t' | '\u{b}' | '\u{c}' | '\r' | ' ');
    let (verb, rest) = line.split_once(blank).unwrap_or((line, ""));
    let (flags, arguments) = flags::split(rest.trim_start_matches(blank));
    Instruction {
        start: 0,
        end: 0,
        verb: verb.to_owned(),
        flags,
        arguments: arguments.trim().to_owned(),
        heredocs: Vec::new(),
    }
}
