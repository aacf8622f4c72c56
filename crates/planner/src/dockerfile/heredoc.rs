//! Which here-documents an instruction opens.
//!
//! BuildKit finds them with its own word splitter, not with a shell's: `<<` inside `$((1 <<2))` opens
//! one, a word behind an unmatched quote opens none. What follows repeats that splitter's decisions.

use std::iter::Peekable;
use std::str::Chars;

use super::json::{self, Json};
use super::{Grammar, Instruction, split_verb};

/// A here-document of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heredoc {
    /// The line that ends it.
    pub name: String,
    /// Whether tabs in front of that line do not count (`<<-`).
    pub strips_tabs: bool,
}

/// Quotes that do not match inside a here-document's name.
pub(super) struct Unmatched;

/// `${…}` inside `${…}` beyond this depth is taken for an error of the author's.
const MAX_DEPTH: u32 = 64;

/// Finds them, in order.
pub(super) fn find(
    instruction: &Instruction,
    joined: &str,
    grammar: Grammar,
) -> Result<Vec<Heredoc>, Unmatched> {
    if grammar == Grammar::Docker20 || !joined.contains("<<") || !can_hold(instruction, grammar) {
        return Ok(Vec::new());
    }
    // A text that the splitter cannot read opens nothing.
    let words = match Splitter::new(joined, grammar, true).words() {
        Ok(words) => words,
        Err(Broken::Syntax) => return Ok(Vec::new()),
        Err(Broken::TooDeep) => return Err(Unmatched),
    };
    words.iter().filter_map(|word| of_word(word, grammar).transpose()).collect()
}

fn can_hold(instruction: &Instruction, grammar: Grammar) -> bool {
    let inner = instruction.verb.eq_ignore_ascii_case("onbuild");
    let trigger = inner.then(|| split_verb(&instruction.arguments));
    let instruction = trigger.as_ref().unwrap_or(instruction);
    let verb =
        ["run", "copy", "add"].iter().any(|verb| instruction.verb.eq_ignore_ascii_case(verb));
    verb && match json::read(&instruction.arguments) {
        Json::Texts(_) => false,
        Json::TextsAndMore => grammar != Grammar::FirstHeredocs,
        Json::NotTexts | Json::No => true,
    }
}

/// Reads `[fd]<<[-]name`; `None` when the word is something else.
fn of_word(word: &str, grammar: Grammar) -> Result<Option<Heredoc>, Unmatched> {
    let Some(rest) = word.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix("<<")
    else {
        return Ok(None);
    };
    let (strips_tabs, mut rest) = rest.strip_prefix('-').map_or((false, rest), |rest| (true, rest));
    if grammar == Grammar::SpacedHeredocs {
        rest = rest.trim_start_matches(['\t', '\n', '\u{c}', '\r', ' ']);
    }
    if rest.is_empty() || rest.contains('<') {
        return Ok(None);
    }
    let mut names = Splitter::new(rest, grammar, false).words().map_err(|_| Unmatched)?;
    Ok(match (names.pop(), names.is_empty()) {
        (Some(name), true) => Some(Heredoc { name, strips_tabs }),
        _ => None,
    })
}

/// The splitter met something that it cannot read.
enum Broken {
    /// Builders cannot read it either.
    Syntax,
    /// Builders would go on; nobody writes this.
    TooDeep,
}

struct Splitter<'a> {
    rest: Peekable<Chars<'a>>,
    grammar: Grammar,
    /// Whether quotes stay in the words.
    raw_quotes: bool,
    /// Whether backslashes do.
    raw_escapes: bool,
    words: Vec<String>,
    word: String,
}

impl<'a> Splitter<'a> {
    fn new(text: &'a str, grammar: Grammar, raw: bool) -> Self {
        let rest = text.chars().peekable();
        Self {
            rest,
            grammar,
            raw_quotes: raw,
            raw_escapes: raw,
            words: Vec::new(),
            word: String::new(),
        }
    }

    fn words(mut self) -> Result<Vec<String>, Broken> {
        while let Some(&c) = self.rest.peek() {
            match c {
                '\'' | '"' => {
                    let text = self.quoted(c, 0)?;
                    self.word.push_str(&text);
                }
                '$' => {
                    // White space inside an expansion splits words like any other.
                    let text = self.dollar(0)?;
                    text.chars().for_each(|c| self.character(c));
                }
                '<' if self.grammar == Grammar::SpacedHeredocs => {
                    self.rest.next();
                    self.word.push('<');
                    if self.rest.next_if_eq(&'<').is_some() {
                        self.word.push('<');
                        while let Some(blank) =
                            self.rest.next_if(|c| matches!(c, '\t' | '\r' | ' '))
                        {
                            self.word.push(blank);
                        }
                    }
                }
                '\\' => {
                    self.rest.next();
                    if self.raw_escapes {
                        self.word.push('\\');
                    }
                    self.word.extend(self.rest.next());
                }
                c => {
                    self.rest.next();
                    self.character(c);
                }
            }
        }
        if !self.word.is_empty() {
            self.words.push(self.word);
        }
        Ok(self.words)
    }

    fn character(&mut self, c: char) {
        if !c.is_whitespace() {
            self.word.push(c);
        } else if !self.word.is_empty() {
            self.words.push(std::mem::take(&mut self.word));
        }
    }

    fn quoted(&mut self, quote: char, depth: u32) -> Result<String, Broken> {
        self.rest.next();
        let mut text = String::new();
        if self.raw_quotes {
            text.push(quote);
        }
        loop {
            match self.rest.peek().copied().ok_or(Broken::Syntax)? {
                c if c == quote => {
                    self.rest.next();
                    if self.raw_quotes {
                        text.push(quote);
                    }
                    return Ok(text);
                }
                '$' if quote == '"' => text.push_str(&self.dollar(depth)?),
                '\\' if quote == '"' => {
                    self.rest.next();
                    if self.raw_escapes {
                        text.push('\\');
                    }
                    let escaped = self.rest.next_if(|c| matches!(c, '"' | '$' | '\\'));
                    text.push(escaped.unwrap_or('\\'));
                }
                c => {
                    self.rest.next();
                    text.push(c);
                }
            }
        }
    }

    /// `$name` and `${…}`, which stay as they are because no variable is known.
    fn dollar(&mut self, depth: u32) -> Result<String, Broken> {
        self.rest.next();
        if self.rest.next_if_eq(&'{').is_none() {
            return Ok(format!("${}", self.name()));
        }
        if depth >= MAX_DEPTH {
            return Err(Broken::TooDeep);
        }
        if matches!(self.rest.peek(), None | Some('{' | '}' | ':')) {
            return Err(Broken::Syntax);
        }
        let name = self.name();
        let old = self.grammar == Grammar::FirstHeredocs;
        let mut modifier = String::new();
        let sign = match self.rest.next().ok_or(Broken::Syntax)? {
            '}' => return Ok(format!("${{{name}}}")),
            ':' => {
                modifier.push(':');
                self.rest.next().filter(|c| matches!(c, '+' | '-' | '?')).ok_or(Broken::Syntax)?
            }
            '?' => '?',
            sign @ ('+' | '-' | '#' | '%') if !old => sign,
            '/' if !old => {
                // The splitter drops the second slash of `${a//b/c}`; so does this.
                let _ = self.rest.next_if_eq(&'/');
                let pattern = self.until('/', true, depth)?;
                let replacement = self.until('}', true, depth)?;
                return Ok(format!("${{{name}/{pattern}/{replacement}}}"));
            }
            _ => return Err(Broken::Syntax),
        };
        modifier.push(sign);
        let word = self.until('}', matches!(sign, '#' | '%'), depth)?;
        Ok(format!("${{{name}{modifier}{word}}}"))
    }

    /// Everything up to `stop`; backslashes stay only if `raw_escapes`.
    fn until(&mut self, stop: char, raw_escapes: bool, depth: u32) -> Result<String, Broken> {
        let outer = self.raw_escapes;
        if self.grammar != Grammar::FirstHeredocs {
            self.raw_escapes = raw_escapes;
        }
        let mut text = String::new();
        loop {
            match self.rest.peek().copied().ok_or(Broken::Syntax)? {
                c if c == stop => {
                    self.rest.next();
                    break;
                }
                quote @ ('\'' | '"') => text.push_str(&self.quoted(quote, depth + 1)?),
                '$' => text.push_str(&self.dollar(depth + 1)?),
                '\\' => {
                    self.rest.next();
                    if self.raw_escapes {
                        text.push('\\');
                    }
                    text.push(self.rest.next().ok_or(Broken::Syntax)?);
                }
                c => {
                    self.rest.next();
                    text.push(c);
                }
            }
        }
        self.raw_escapes = outer;
        Ok(text)
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        match self.rest.peek() {
            Some(c) if c.is_numeric() => {
                while let Some(digit) = self.rest.next_if(|c| c.is_numeric()) {
                    name.push(digit);
                }
                return name;
            }
            Some('@' | '*' | '#' | '?' | '-' | '$' | '!') => {
                name.extend(self.rest.next());
                return name;
            }
            _ => {}
        }
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            name.push(c);
        }
        name
    }
}
