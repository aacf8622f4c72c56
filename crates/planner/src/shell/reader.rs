//! Shell text to its commands, character by character.

use std::iter::Peekable;
use std::str::CharIndices;

use super::flow::{End, Flow};
use super::{Command, Script, Word};

/// How deep `( … )` and `$( … )` may nest before the reader gives up.
const MAX_DEPTH: u32 = 32;

/// Reads a text.
pub(crate) fn read(text: &str) -> Script {
    let mut reader = Reader {
        rest: text.char_indices().peekable(),
        text,
        script: Script::default(),
        flow: Flow::default(),
        sure: true,
    };
    reader.list(0);
    reader.script
}

struct Reader<'a> {
    rest: Peekable<CharIndices<'a>>,
    text: &'a str,
    script: Script,
    flow: Flow,
    sure: bool,
}

impl Reader<'_> {
    /// Commands until the closing parenthesis or the end.
    fn list(&mut self, depth: u32) {
        let mut command = Command::default();
        while self.sure {
            let Some(&(at, c)) = self.rest.peek() else { break };
            match c {
                ' ' | '\t' | '\r' => {
                    self.rest.next();
                }
                '\n' | ';' | '&' | '|' => {
                    let end = self.operator(at);
                    self.finish(&mut command, end);
                }
                '#' => while self.rest.next_if(|(_, c)| *c != '\n').is_some() {},
                ')' => {
                    self.rest.next();
                    break;
                }
                '(' => {
                    self.rest.next();
                    let joined =
                        command.words.last().filter(|word| word.at + word.text.len() == at);
                    if joined.is_some_and(|word| word.plain && word.text.ends_with('=')) {
                        self.script.bash.push(("an array", at));
                        self.sure = false;
                    } else {
                        // `name ( )` defines a function, `(( … ))` computes: nothing here reads them.
                        self.sure = command.words.is_empty() && !self.text[at..].starts_with("((");
                        self.nested(depth);
                    }
                }
                '<' | '>' => self.redirection(at),
                _ => {
                    let word = self.word(depth);
                    self.take(word, &mut command);
                }
            }
        }
        self.finish(&mut command, End::Separator);
    }

    fn nested(&mut self, depth: u32) {
        if depth >= MAX_DEPTH {
            self.sure = false;
        } else if self.sure {
            let outer = std::mem::replace(&mut self.flow, Flow::inner());
            self.list(depth + 1);
            self.flow = outer;
        }
    }

    fn operator(&mut self, at: usize) -> End {
        let rest = &self.text[at..];
        self.rest.next();
        if rest.starts_with("&>") {
            self.script.bash.push(("`&>`", at));
        }
        for (sign, end) in [("&&", End::And), ("||", End::Or)] {
            if rest.starts_with(sign) {
                self.rest.next();
                return end;
            }
        }
        if rest.starts_with('|') { End::Pipe } else { End::Separator }
    }

    fn redirection(&mut self, at: usize) {
        let rest = &self.text[at..];
        for (sign, name) in [("<<<", "`<<<`"), ("<(", "`<( … )`"), (">(", "`>( … )`")] {
            if rest.starts_with(sign) {
                self.script.bash.push((name, at));
                self.sure = false;
                return;
            }
        }
        // What stands in a here-document is text, and this reader does not look for its end.
        if rest.starts_with("<<") {
            self.sure = false;
            return;
        }
        while self.rest.next_if(|(_, c)| matches!(c, '<' | '>' | '&' | '|' | ' ' | '\t')).is_some()
        {
        }
        if !matches!(self.rest.peek(), None | Some((_, '\n' | ';' | '(' | ')'))) {
            self.word(MAX_DEPTH);
        }
    }

    fn word(&mut self, depth: u32) -> Word {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        let mut word = Word { text: String::new(), at, plain: true };
        while let Some(&(at, c)) = self.rest.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' => {
                    word.plain = false;
                    self.rest.next();
                    while let Some((_, c)) = self.rest.next_if(|(_, c)| *c != '\'') {
                        word.text.push(c);
                    }
                    self.sure &= self.rest.next().is_some();
                }
                '"' => {
                    word.plain = false;
                    self.double_quotes(&mut word);
                }
                '\\' => {
                    self.rest.next();
                    match self.rest.next() {
                        Some((_, '\n')) => {}
                        Some((_, c)) => {
                            word.plain = false;
                            word.text.push(c);
                        }
                        None => break,
                    }
                }
                '$' if self.text[at..].starts_with("$(") => {
                    word.plain = false;
                    self.rest.next();
                    self.rest.next();
                    self.sure &= !self.text[at..].starts_with("$((");
                    self.nested(depth);
                }
                '`' => {
                    word.plain = false;
                    self.sure = false;
                    break;
                }
                c => {
                    word.plain &= c != '$';
                    word.text.push(c);
                    self.rest.next();
                }
            }
            if !self.sure {
                break;
            }
        }
        word
    }

    /// Text in double quotes. What is substituted inside it is passed over.
    fn double_quotes(&mut self, word: &mut Word) {
        self.rest.next();
        let mut depth = 0_u32;
        while let Some((_, c)) = self.rest.next() {
            match c {
                '\\' => word.text.extend(self.rest.next().map(|(_, c)| c)),
                '"' if depth == 0 => return,
                '"' | '\'' | '`' if depth > 0 => break,
                '(' if depth > 0 || word.text.ends_with('$') => depth += 1,
                ')' if depth > 0 => depth -= 1,
                c => word.text.push(c),
            }
        }
        self.sure = false;
    }

    fn take(&mut self, word: Word, command: &mut Command) {
        self.flow.word();
        if command.words.is_empty() {
            if is_assignment(&word.text) && self.rest.peek().is_none_or(|(_, c)| *c != '(') {
                return;
            }
            if word.plain && self.is_reserved(&word) {
                return;
            }
        }
        command.words.push(word);
    }

    fn is_reserved(&mut self, word: &Word) -> bool {
        match word.text.as_str() {
            "[[" => {
                self.script.bash.push(("`[[ … ]]`", word.at));
                self.sure = false;
                true
            }
            "case" | "function" => {
                self.sure = false;
                true
            }
            other => self.flow.reserved(other),
        }
    }

    fn finish(&mut self, command: &mut Command, end: End) {
        let mut command = std::mem::take(command);
        if command.words.is_empty() {
            self.flow.pass(end);
            return;
        }
        self.flow.call(&mut command, end);
        let bash = match command.name() {
            "source" => Some("`source`"),
            "shopt" => Some("`shopt`"),
            "pushd" | "popd" => Some("`pushd` and `popd`"),
            "set" if command.arguments().any(|word| word == "pipefail") => {
                Some("`set -o pipefail`")
            }
            _ => None,
        };
        if let (true, Some(bash)) = (command.is_reached, bash) {
            self.script.bash.push((bash, command.at()));
        }
        self.script.commands.push(command);
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
