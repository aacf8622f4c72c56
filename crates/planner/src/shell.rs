//! A reader of shell text that finds the commands it calls, and stops where it is not sure.
//!
//! It serves advice, never a decision about what runs: everything that it reports is there, but not
//! everything that is there is reported.

use std::iter::Peekable;
use std::str::CharIndices;

/// How deep `( … )` and `$( … )` may nest before the reader gives up.
const MAX_DEPTH: u32 = 32;

/// One simple command: its words without redirections and assignments in front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Command {
    /// The words, quotes removed. The first is what is called.
    pub(crate) words: Vec<Word>,
    /// Whether it runs whenever all before it went well: in no block, behind no test, not behind `||`.
    pub(crate) is_reached: bool,
    /// What its failure does to a script that runs under `set -e`.
    pub(crate) failure: Failure,
}

/// What a command's failure does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The script ends.
    #[default]
    Stops,
    /// What stands behind `&&` is left out.
    SkipsRest,
    /// Nothing: `||` or `!` takes it, or a pipe hides it.
    IsForgiven,
}

/// What stands behind a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Separator,
    And,
    Or,
    Pipe,
}

/// What stands before a command.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Joint {
    #[default]
    Start,
    And,
    Condition,
}

/// What decides whether the next command runs.
#[derive(Clone, Copy, Default)]
struct Flow {
    blocks: u32,
    joint: Joint,
    negated: bool,
    /// An operator stands before, so that a newline ends nothing.
    open: bool,
    /// Inside parentheses or a substitution.
    inner: bool,
}

/// A word and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) at: usize,
    /// Whether any of it was quoted or computed.
    pub(crate) plain: bool,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) commands: Vec<Command>,
    /// Syntax that only bash has: what it is, and where.
    pub(crate) bash: Vec<(&'static str, usize)>,
}

impl Command {
    /// The name that is called, if it is written plainly.
    pub(crate) fn name(&self) -> &str {
        self.words.first().filter(|word| word.plain).map_or("", |word| word.text.as_str())
    }

    /// Where it starts.
    pub(crate) fn at(&self) -> usize {
        self.words.first().map_or(0, |word| word.at)
    }

    /// The words behind the name.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.words.iter().skip(1).map(|word| word.text.as_str())
    }
}

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
            let outer = std::mem::replace(&mut self.flow, Flow { inner: true, ..Flow::default() });
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
        self.flow.open = false;
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

    /// Takes note of a word that is no command but decides about commands.
    fn is_reserved(&mut self, word: &Word) -> bool {
        match word.text.as_str() {
            "if" | "while" | "until" => self.flow.blocks += 1,
            "fi" | "done" => {
                self.flow.blocks = self.flow.blocks.saturating_sub(1);
                self.flow.joint = Joint::Condition;
            }
            "!" => self.flow.negated = true,
            "then" | "elif" | "else" | "do" | "{" | "}" | "time" | "exec" => {}
            "for" => {
                self.flow.blocks += 1;
                return false;
            }
            "[[" => {
                self.script.bash.push(("`[[ … ]]`", word.at));
                self.sure = false;
            }
            "case" | "function" => self.sure = false,
            _ => return false,
        }
        true
    }

    fn finish(&mut self, command: &mut Command, end: End) {
        let mut command = std::mem::take(command);
        let Flow { blocks, joint, negated, open, inner } = self.flow;
        if !command.words.is_empty() {
            command.is_reached = blocks == 0 && !inner && joint != Joint::Condition;
            command.failure = match end {
                _ if negated => Failure::IsForgiven,
                End::Separator => Failure::Stops,
                End::And => Failure::SkipsRest,
                End::Or | End::Pipe => Failure::IsForgiven,
            };
            let name = command.name();
            let bash = match name {
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
            let tests = matches!(name, "[" | "test" | "command" | "which" | "type" | "hash");
            self.flow.joint = match end {
                End::Separator => Joint::Start,
                End::And if tests || joint == Joint::Condition => Joint::Condition,
                End::And => Joint::And,
                End::Or => Joint::Condition,
                End::Pipe => joint,
            };
            self.flow.negated = false;
            self.flow.open = end != End::Separator;
            self.script.commands.push(command);
            return;
        }
        match end {
            // Behind `fi`, `done` or an assignment.
            End::Separator if !open => self.flow.joint = Joint::Start,
            End::Separator | End::And | End::Pipe => {}
            End::Or => self.flow.joint = Joint::Condition,
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        read(text).commands.iter().map(|command| command.name().to_owned()).collect()
    }

    #[test]
    fn commands_are_found_and_words_are_not_taken_for_them() {
        assert_eq!(
            names("A=1 sudo x && if ! foo | bar; then baz; fi"),
            ["sudo", "foo", "bar", "baz"]
        );
        assert_eq!(
            names("echo $(date +%s) sudo; (cd x; make) # sudo"),
            ["date", "echo", "cd", "make"]
        );
        assert_eq!(names("echo \"sudo $(sudo x)\" 'sudo' >sudo 2>&1 sudo"), ["echo"]);
        assert_eq!(names("cat <<EOF\nsudo x\nEOF"), ["cat"]);
        assert_eq!(names("f() { sudo x; }"), ["f"]);
        assert_eq!(names("case $x in sudo) sudo ;; esac"), Vec::<String>::new());
        assert_eq!(names("'sudo' x; \\sudo y; $SUDO z"), ["", "", ""]);
        assert_eq!(names("echo a \\\n sudo"), ["echo"]);
    }

    #[test]
    fn conditions_are_seen() {
        let reached = |text: &str| {
            let commands = read(text).commands;
            let reached = commands.iter().filter(|command| command.is_reached);
            reached.map(|command| command.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(reached("a && b | c; d"), ["a", "b", "c", "d"]);
        assert_eq!(reached("a || b; c"), ["a", "c"]);
        assert_eq!(reached("[ -x s ] && s && t; u"), ["[", "u"]);
        assert_eq!(reached("if a; then b; else c; fi; d"), ["d"]);
        assert_eq!(reached("if a; then b; fi && c\nd"), ["d"]);
        assert_eq!(reached("for x in 1 2; do a; done\nb"), ["b"]);
        assert_eq!(reached("(a) && echo $(b) && c"), ["echo", "c"]);
        assert_eq!(reached("[ -x s ] &&\n s\nt"), ["[", "t"]);
        let failure = |text: &str| read(text).commands[0].failure;
        assert_eq!(failure("a; b"), Failure::Stops);
        assert_eq!(failure("a && b"), Failure::SkipsRest);
        assert_eq!(failure("a || b"), Failure::IsForgiven);
        assert_eq!(failure("! a"), Failure::IsForgiven);
    }

    #[test]
    fn bash_is_told_from_sh() {
        let bash = |text| read(text).bash.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(bash("set -euo pipefail; make"), ["`set -o pipefail`"]);
        assert_eq!(bash("if [[ -f x ]]; then y; fi"), ["`[[ … ]]`"]);
        assert_eq!(bash("diff <(a) b"), ["`<( … )`"]);
        assert_eq!(bash("source venv/bin/activate && make"), ["`source`"]);
        assert_eq!(bash("a=(1 2)"), ["an array"]);
        assert_eq!(bash("make &> log"), ["`&>`"]);
        for portable in [
            "[ -f x ] && . ./env; echo '[[ x ]]' \"<(a)\"; x=$(( 1 << 2 ))",
            "apt-get update && apt-get install -y make >/dev/null 2>&1",
            "echo set -o pipefail source; f() { :; }; set -eu",
            "for i in a b; do echo $i & done; wait",
        ] {
            assert_eq!(bash(portable), Vec::<&str>::new(), "{portable}");
        }
    }
}
