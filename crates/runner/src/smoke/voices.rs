//! Who speaks in a smoke container: first our own questions, then, behind a line that nobody can
//! guess, the user's command.

use std::time::Instant;

use triage::FailedStep;

use crate::build::{Captured, Lossy};
use crate::teller::{Teller, milliseconds};
use crate::{Event, SmokeCommand, Stream};

/// What comes next, and the line that announces it.
pub(super) struct Next<'a> {
    pub(super) announced_by: String,
    pub(super) command: &'a SmokeCommand,
}

/// The command that speaks, and the one behind it.
pub(super) struct Voices<'a> {
    speaks: &'a SmokeCommand,
    next: Option<Next<'a>>,
    began: Instant,
    kept: Captured,
    stdout: Lossy,
    stderr: Lossy,
    /// Text of stdout in which the announcing line may have begun.
    held: String,
}

/// Our own questions print a line or two; a profile that prints more is let through.
const HELD: usize = 16 * 1024;

impl<'a> Voices<'a> {
    pub(super) fn new(
        speaks: &'a SmokeCommand,
        next: Option<Next<'a>>,
        teller: &mut Teller<'_>,
    ) -> Self {
        teller.tell(&Event::SmokeStarted { name: speaks.name.clone() });
        Self {
            speaks,
            next,
            began: Instant::now(),
            kept: Captured::default(),
            stdout: Lossy::default(),
            stderr: Lossy::default(),
            held: String::new(),
        }
    }

    /// Takes bytes of the container's output.
    pub(super) fn hear(&mut self, stream: Stream, bytes: &[u8], teller: &mut Teller<'_>) {
        let text = match stream {
            Stream::Stderr => self.stderr.decode(bytes),
            Stream::Stdout => self.stdout.decode(bytes),
        };
        if stream == Stream::Stderr || self.next.is_none() {
            self.say(stream, text, teller);
            return;
        }
        self.held.push_str(&text);
        let Some(next) = self.next.as_ref() else { return };
        if let Some((before, after)) = self.held.split_once(&next.announced_by) {
            let (before, after) = (before.to_owned(), after.to_owned());
            self.held.clear();
            self.say(Stream::Stdout, before, teller);
            self.hand_over(teller);
            self.say(Stream::Stdout, after, teller);
        } else if self.held.len() > HELD {
            let cut = self.held.floor_char_boundary(self.held.len() - next.announced_by.len());
            let rest = self.held.split_off(cut);
            let before = std::mem::replace(&mut self.held, rest);
            self.say(Stream::Stdout, before, teller);
        }
    }

    /// The container ended.
    pub(super) fn ended(&mut self, code: i64, teller: &mut Teller<'_>) {
        let held = std::mem::take(&mut self.held);
        self.say(Stream::Stdout, held, teller);
        self.finished(code, teller);
    }

    /// What triage is told about the command that spoke last.
    pub(super) fn failed(&self) -> FailedStep {
        FailedStep {
            instruction: self.speaks.command.clone(),
            name: Some(self.speaks.name.clone()),
            output: self.kept.text() + &self.held,
            source: None,
            packages: Vec::new(),
        }
    }

    fn hand_over(&mut self, teller: &mut Teller<'_>) {
        self.finished(0, teller);
        if let Some(next) = self.next.take() {
            self.speaks = next.command;
        }
        self.began = Instant::now();
        self.kept = Captured::default();
        teller.tell(&Event::SmokeStarted { name: self.speaks.name.clone() });
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

    fn heard(chunks: &[&str], code: i64) -> String {
        let command = |name: &str| SmokeCommand { name: name.to_owned(), command: String::new() };
        let (own, user) = (command("own"), command("user"));
        let mut log = Log(Vec::new());
        let mut teller = Teller::new(&mut log, CancellationToken::new());
        let next = Next { announced_by: "TOKEN\n".to_owned(), command: &user };
        let mut voices = Voices::new(&own, Some(next), &mut teller);
        for chunk in chunks {
            voices.hear(Stream::Stdout, chunk.as_bytes(), &mut teller);
        }
        voices.ended(code, &mut teller);
        log.0.join("|")
    }

    #[test]
    fn the_announcing_line_hands_over_wherever_it_is_cut() {
        let all = "git 2\nTOKEN\nhello";
        for cut in 0..=all.len() {
            let said = heard(&[&all[..cut], &all[cut..]], 7);
            let said = said.replace("user: h|user: ello", "user: hello");
            assert!(said.starts_with("own starts|own: git 2\n|own ends 0|user starts"), "{said}");
            assert!(said.ends_with("|user ends 7"), "{said}");
        }
    }

    #[test]
    fn without_the_line_the_end_is_our_own_questions() {
        assert_eq!(heard(&["oh no"], 1), "own starts|own: oh no|own ends 1");
        let long = "x".repeat(3 * HELD);
        let said = heard(&[&long, "TOK", "EN\n"], 0);
        assert!(said.ends_with("|own ends 0|user starts|user ends 0"), "{}", said.len());
    }
}
