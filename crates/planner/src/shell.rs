//! A reader of shell text that finds the commands it calls, and stops where it is not sure.
//!
//! It serves advice, never a decision about what runs: everything that it reports is there, but not
//! everything that is there is reported.

mod flow;
mod reader;

pub(crate) use reader::read;

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
