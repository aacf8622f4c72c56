//! The image is tried: our own three questions first, then the user's commands.
//!
//! Every command has a container of its own: only a container's end says truly with which exit
//! code, and whether for want of memory.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use planner::Plan;
use tokio_util::sync::CancellationToken;
use triage::{EngineError, FailedStep, Observed, Phase};

use crate::build::{Captured, Lossy};
use crate::engine::{ContainerSpec, Ended, Output, Port};
use crate::identity::Identity;
use crate::teller::{Teller, milliseconds};
use crate::{Event, SmokeCommand, Stream};

/// What is asked of every image.
const OWN_NAME: &str = "session basics";
const OWN: &str = "machine=$(uname -m)
[ \"$machine\" = x86_64 ] || { echo \"uname -m says $machine, not x86_64\" >&2; exit 1; }
number=$(id -u)
[ \"$number\" != 0 ] || { echo 'the session runs as root' >&2; exit 1; }
git --version";

/// Tries an image.
pub(crate) struct Smoke<'a, P> {
    pub(crate) port: &'a P,
    pub(crate) plan: &'a Plan,
    pub(crate) image: &'a str,
    pub(crate) identity: &'a Identity,
    pub(crate) limit: Duration,
    pub(crate) cancel: &'a CancellationToken,
}

impl<P: Port> Smoke<'_, P> {
    /// Runs everything, and stops at what fails first.
    pub(crate) async fn run(
        &self,
        commands: &[SmokeCommand],
        teller: &mut Teller<'_>,
    ) -> Result<(), Observed> {
        let began = teller.begin(Phase::Smoke);
        let own = SmokeCommand { name: OWN_NAME.to_owned(), command: OWN.to_owned() };
        let mut result = Ok(());
        for command in std::iter::once(&own).chain(commands) {
            result = self.one(command, teller).await;
            if result.is_err() {
                break;
            }
        }
        teller.finish(Phase::Smoke, began, false);
        result
    }

    async fn one(&self, command: &SmokeCommand, teller: &mut Teller<'_>) -> Result<(), Observed> {
        let SmokeCommand { name, command: text } = command;
        teller.tell(&Event::SmokeStarted { name: name.clone() });
        let began = Instant::now();
        let mut kept = Captured::default();
        let result = self.in_container(name, text, &mut kept, teller).await;
        let observed = |error| Observed {
            phase: Phase::Smoke,
            error,
            step: Some(FailedStep {
                instruction: text.clone(),
                name: Some(name.clone()),
                output: kept.text(),
                source: None,
            }),
        };
        let Ended { code, oom_killed } = result.map_err(observed)?;
        let duration_ms = milliseconds(began);
        teller.tell(&Event::SmokeFinished { name: name.clone(), exit: code, duration_ms });
        if code == 0 { Ok(()) } else { Err(observed(EngineError::Exit { code, oom_killed })) }
    }

    async fn in_container(
        &self,
        name: &str,
        text: &str,
        kept: &mut Captured,
        teller: &mut Teller<'_>,
    ) -> Result<Ended, EngineError> {
        let made = self.port.create(&self.container(text)).await?;
        for warning in made.warnings {
            let what = "resource-limits".to_owned();
            teller.tell(&Event::LeftUnproven {
                what: planner::NotProven { what, why: format!("the engine says: {warning}") },
            });
        }
        let ran = tokio::select! {
            () = self.cancel.cancelled() => Err(EngineError::Cancelled),
            () = tokio::time::sleep(self.limit) => {
                Err(EngineError::TimedOut { limit_s: self.limit.as_secs(), silent: false })
            }
            ended = self.follow(&made.id, name, kept, teller) => ended,
        };
        // Killing it is what ends a command that ran out of time.
        let removed = self.port.remove_container(&made.id).await;
        ran.and_then(|ended| removed.map(|()| ended))
    }

    async fn follow(
        &self,
        container: &str,
        name: &str,
        kept: &mut Captured,
        teller: &mut Teller<'_>,
    ) -> Result<Ended, EngineError> {
        let mut output = self.port.start(container).await?;
        let (mut stdout, mut stderr) = (Lossy::default(), Lossy::default());
        while let Some(chunk) = output.next().await {
            let Output { stream, bytes } = chunk?;
            let text = match stream {
                Stream::Stdout => stdout.decode(&bytes),
                Stream::Stderr => stderr.decode(&bytes),
            };
            if !text.is_empty() {
                kept.push(&text);
                teller.tell(&Event::SmokeOutput { name: name.to_owned(), stream, text });
            }
        }
        self.port.ended(container).await
    }

    fn container(&self, text: &str) -> ContainerSpec {
        let Plan { session, variables, cpu_millis, memory_mib, .. } = self.plan;
        let literal = |v: &planner::Variable| Some(format!("{}={}", v.name, v.literal.as_ref()?));
        ContainerSpec {
            image: self.image.to_owned(),
            // What `set -e` and `set -u` stop at, stops a session's command, too.
            command: ["/bin/sh", "-lc", &format!("set -eu\n{text}")].map(str::to_owned).to_vec(),
            user: session.user.clone(),
            workdir: session.workdir.clone().or_else(|| Some(session.home.clone())),
            environment: variables.iter().filter_map(literal).collect(),
            cpu_millis: *cpu_millis,
            memory: memory_mib.map(|mib| mib.saturating_mul(1 << 20)),
            labels: self.identity.labels(),
        }
    }
}
