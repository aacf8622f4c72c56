//! Who speaks in a smoke container: first our own questions, then, behind a line that nobody can
//! guess, the user's command.

use std::time::Instant;

use triage::FailedStep;

use crate::build::{Captured, Lossy};
use crate::teller::{Teller, milliseconds};
use crate::{Event, SmokeCommand, Stream};

/// What comes next, and the line that announces it on each stream.
pub(super) struct Next<'a> {
    pub(super) announced_by: String,
    pub(super) command: &'a SmokeCommand,
}

/// The command that speaks, and the one behind it.
pub(super) struct Voices<'a> {
    speaks: &'a SmokeCommand,
    next: Option<&'a SmokeCommand>,
    began: Instant,
    kept: Captured,
    stdout: Ear,
    stderr: Ear,
}

/// One stream of a container's output.
#[derive(Default)]
struct Ear {
    bytes: Lossy,
    /// The line that is still to come on it.
    awaits: Option<String>,
    /// Text that waits: the line may have begun in it, or it stands behind the line.
    held: String,
}

/// Our own questions print a line or two; a profile that prints more is let through.
const HELD: usize = 16 * 1024;

impl Ear {
    /// Takes text, and gives back what was said before the line.
    fn hear(&mut self, bytes: &[u8]) -> String {
        self.held.push_str(&self.bytes.decode(bytes));
        let Some(line) = &self.awaits else { return String::new() };
        if let Some((before, after)) = self.held.split_once(line) {
            let (before, after) = (before.to_owned(), after.to_owned());
            self.awaits = None;
            self.held = after;
            return before;
        }
        if self.held.len() <= HELD {
            return String::new();
        }
        let cut = self.held.floor_char_boundary(self.held.len() - line.len());
        let rest = self.held.split_off(cut);
        std::mem::replace(&mut self.held, rest)
    }
}

impl<'a> Voices<'a> {
    pub(super) fn new(
        speaks: &'a SmokeCommand,
        next: Option<Next<'a>>,
        teller: &mut Teller<'_>,
    ) -> Self {
        teller.tell(&Event::SmokeStarted { name: speaks.name.clone() });
        let line = next.as_ref().map(|next| next.announced_by.clone());
        let ear = || Ear { awaits: line.clone(), ..Ear::default() };
        Self {
            speaks,
            next: next.map(|next| next.command),
            began: Instant::now(),
            kept: Captured::default(),
            stdout: ear(),
            stderr: ear(),
        }
    }

    /// Takes bytes of the container's output.
    pub(super) fn hear(&mut self, stream: Stream, bytes: &[u8], teller: &mut Teller<'_>) {
        let before = self.ear(stream).hear(bytes);
        self.say(stream, before, teller);
        let ears = [&self.stdout, &self.stderr];
        // Both lines were there, or the other one is too long in coming.
        let over = ears.iter().all(|ear| ear.awaits.is_none())
            || ears.iter().any(|ear| ear.awaits.is_none() && ear.held.len() > HELD);
        if self.next.is_some() && over {
            self.hand_over(teller);
        }
        if self.next.is_none() {
            self.let_out(teller);
        }
    }

    /// The container ended.
    pub(super) fn ended(&mut self, code: i64, teller: &mut Teller<'_>) {
        if self.next.is_some() && self.stdout.awaits.is_none() {
            self.hand_over(teller);
        }
        for stream in [Stream::Stdout, Stream::Stderr] {
            let rest = std::mem::take(&mut self.ear(stream).held);
            self.say(stream, rest, teller);
        }
        self.finished(code, teller);
    }

    /// What triage is told about the command that spoke last.
    pub(super) fn failed(&self) -> FailedStep {
        FailedStep {
            instruction: self.speaks.command.clone(),
            name: Some(self.speaks.name.clone()),
            output: self.kept.text() + &self.stdout.held + &self.stderr.held,
            source: None,
            packages: Vec::new(),
        }
    }

    fn ear(&mut self, stream: Stream) -> &mut Ear {
        match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        }
    }

    fn hand_over(&mut self, teller: &mut Teller<'_>) {
        self.finished(0, teller);
        if let Some(next) = self.next.take() {
            self.speaks = next;
        }
        self.began = Instant::now();
        self.kept = Captured::default();
        teller.tell(&Event::SmokeStarted { name: self.speaks.name.clone() });
    }

    /// Says what waited, where nothing more can stand in front of it.
    fn let_out(&mut self, teller: &mut Teller<'_>) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let ear = self.ear(stream);
            if ear.awaits.is_none() {
                let text = std::mem::take(&mut ear.held);
                self.say(stream, text, teller);
            }
        }
    }

    fn finished(&self, exit: i64, teller: &mut Teller<'_>) {
        let (name, duration_ms) = (self.speaks.name.clone(), milliseconds(self.began));
        teller.tell(&Event::SmokeFinished { name, exit, duration_ms });
    }

    fn say(&mut self, stream: Stream, text: String, teller: &mut Teller<'_>) {
        if !text.is_empty() {
            self.kept.push(stream, &text);
            let name = self.speaks.name.clone();
            teller.tell(&Event::SmokeOutput { name, stream, text });
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;

    struct Log(Vec<String>);

    impl crate::Reporter for Log {
        fn event(&mut self, event: &Event) -> std::io::Result<()> {
            self.0.push(match event {
                Event::SmokeStarted { name } => format!("{name} starts"),
                Event::SmokeOutput { name, text, .. } => format!("{name}: {text}"),
                Event::SmokeFinished { name, exit, .. } => format!("{name} ends {exit}"),
                other => format!("{other:?}"),
            });
            Ok(())
        }
    }

    /// What is told of chunks of stdout; `!` in front makes one of stderr.
    fn heard(chunks: &[&str], code: i64) -> String {
        let command = |name: &str| SmokeCommand { name: name.to_owned(), command: String::new() };
        let (own, user) = (command("own"), command("user"));
        let mut log = Log(Vec::new());
        let mut teller = Teller::new(&mut log, CancellationToken::new());
        let next = Next { announced_by: "TOKEN\n".to_owned(), command: &user };
        let mut voices = Voices::new(&own, Some(next), &mut teller);
        for chunk in chunks {
            let (stream, text) = match chunk.strip_prefix('!') {
                Some(text) => (Stream::Stderr, text),
                None => (Stream::Stdout, *chunk),
            };
            voices.hear(stream, text.as_bytes(), &mut teller);
        }
        voices.ended(code, &mut teller);
        log.0.join("|")
    }

    #[test]
    fn the_announcing_line_hands_over_wherever_it_is_cut() {
        let all = "git 2\nTOKEN\nhello";
        for cut in 0..=all.len() {
            let said = heard(&["!TOKEN\n", &all[..cut], &all[cut..]], 7);
            let said = said.replace("user: h|user: ello", "user: hello");
            assert!(said.starts_with("own starts|own: git 2\n|own ends 0|user starts"), "{said}");
            assert!(said.ends_with("|user ends 7"), "{said}");
        }
    }

    #[test]
    fn without_the_line_the_end_is_our_own_questions() {
        assert_eq!(heard(&["oh no"], 1), "own starts|own: oh no|own ends 1");
        let long = "x".repeat(3 * HELD);
        let said = heard(&[&long, "TOK", "EN\n", "!TOKEN\n"], 0);
        assert!(said.ends_with("|own ends 0|user starts|user ends 0"), "{}", said.len());
    }

    #[test]
    fn each_stream_hands_over_at_its_own_line() {
        let own = "own starts|own: git 2\n|own ends 0|user starts|";
        for chunks in [
            ["git 2\n", "TOKEN\n", "!TOKEN\noops", "out"],
            ["!TOKEN\noops", "git 2\n", "TOKEN\n", "out"],
            ["!TOKEN\n", "git 2\nTOKEN\n", "out", "!oops"],
        ] {
            let said = heard(&chunks, 1);
            let rest = said.strip_prefix(own).unwrap_or_else(|| panic!("{said}"));
            assert!(rest.contains("user: out") && rest.contains("user: oops"), "{said}");
        }
        // What comes in front of its line is ours, and a line that never comes holds nothing back.
        let said = heard(&["!warning\nTOKEN\n", "git 2\nTOKEN\n"], 0);
        assert_eq!(
            said,
            "own starts|own: warning\n|own: git 2\n|own ends 0|user starts|user ends 0"
        );
        let long = "y".repeat(2 * HELD);
        let said = heard(&["git 2\nTOKEN\n", &long, "!late\nTOKEN\noops"], 0);
        assert!(
            said.starts_with(own) && said.ends_with("user: oops|user ends 0"),
            "{}",
            said.len()
        );
        assert!(!said.contains("TOKEN"));
    }
}
