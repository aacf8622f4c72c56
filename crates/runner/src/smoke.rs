//! The image is tried: our own three questions first, then the user's commands.
//!
//! Every command is the first process of a container, because only a container's end says truly
//! with which exit code, and whether for want of memory. Our own questions share the first
//! command's container: starting one is most of what a warm run costs.

mod voices;

use std::time::Duration;

use futures_util::StreamExt as _;
use planner::Plan;
use tokio_util::sync::CancellationToken;
use triage::{EngineError, Observed, Phase};

use crate::engine::{ContainerSpec, Created, Ended, Output, Port};
use crate::identity::{Identity, random};
use crate::teller::Teller;
use crate::{Event, SmokeCommand};
use voices::{Next, Voices};

/// What is asked of every image.
const OWN_NAME: &str = "session basics";
const MACHINE: &str = "machine=$(uname -m)
[ \"$machine\" = x86_64 ] || { echo \"uname -m says $machine, not x86_64\" >&2; exit 1; }
";
/// Not asked where the plan's session is root's own.
const NOT_ROOT: &str = "number=$(id -u)
[ \"$number\" != 0 ] || { echo 'the session runs as root' >&2; exit 1; }
";
const GIT: &str = "git --version";

/// What `set -e` and `set -u` stop at, stops a session's command, too.
const STRICT: &str = "set -eu\n";

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
        let not_root = if self.plan.session.user == "root" { "" } else { NOT_ROOT };
        let command = format!("{MACHINE}{not_root}{GIT}");
        let own = SmokeCommand { name: OWN_NAME.to_owned(), command };
        let mut result = self.with_own(&own, commands.first(), teller).await;
        for command in commands.iter().skip(1) {
            if result.is_ok() {
                let script = format!("{STRICT}{}", command.command);
                result = self.one(vec![script], Voices::new(command, None, teller), teller).await;
            }
        }
        teller.finish(Phase::Smoke, began, false);
        result
    }

    /// Our own questions, and the first command behind them in the same container.
    async fn with_own(
        &self,
        own: &SmokeCommand,
        first: Option<&SmokeCommand>,
        teller: &mut Teller<'_>,
    ) -> Result<(), Observed> {
        let questions = format!("{STRICT}{}", own.command);
        let Some(command) = first else {
            return self.one(vec![questions], Voices::new(own, None, teller), teller).await;
        };
        let word = format!("{}{}", random(), random());
        // On both streams, since an engine brings them in no promised order. The command gets a
        // login shell of its own, as if nothing had run before it.
        let script = format!("{questions}\necho {word}\necho {word} >&2\nexec /bin/sh -lc \"$1\"");
        let behind = format!("{STRICT}{}", command.command);
        let next = Next { announced_by: format!("{word}\n"), command };
        let voices = Voices::new(own, Some(next), teller);
        self.one(vec![script, "/bin/sh".to_owned(), behind], voices, teller).await
    }

    async fn one(
        &self,
        script: Vec<String>,
        mut voices: Voices<'_>,
        teller: &mut Teller<'_>,
    ) -> Result<(), Observed> {
        let result = self.in_container(script, &mut voices, teller).await;
        let error = match result {
            Ok(Ended { code: 0, .. }) => return Ok(()),
            Ok(Ended { code, oom_killed }) => EngineError::Exit { code, oom_killed },
            Err(error) => error,
        };
        Err(Observed { phase: Phase::Smoke, error, step: Some(voices.failed()) })
    }

    async fn in_container(
        &self,
        script: Vec<String>,
        voices: &mut Voices<'_>,
        teller: &mut Teller<'_>,
    ) -> Result<Ended, EngineError> {
        let made = self.create(self.container(script), teller).await?;
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
            ended = self.follow(&made.id, voices, teller) => ended,
        };
        // Killing it is what ends a command that ran out of time.
        let removed = self.port.remove_container(&made.id).await;
        ran.and_then(|ended| removed.map(|()| ended))
    }

    /// An engine refuses more processors than its machine has; the command then gets what is there.
    async fn create(
        &self,
        mut spec: ContainerSpec,
        teller: &mut Teller<'_>,
    ) -> Result<Created, EngineError> {
        match self.port.create(&spec).await {
            Err(EngineError::Status { status: 400, message }) if message.contains("CPUs") => {
                spec.cpu_millis = None;
                let what = "resource-limits".to_owned();
                teller.tell(&Event::LeftUnproven {
                    what: planner::NotProven { what, why: format!("the engine says: {message}") },
                });
                self.port.create(&spec).await
            }
            made => made,
        }
    }

    async fn follow(
        &self,
        container: &str,
        voices: &mut Voices<'_>,
        teller: &mut Teller<'_>,
    ) -> Result<Ended, EngineError> {
        let mut output = self.port.start(container).await?;
        while let Some(chunk) = output.next().await {
            let Output { stream, bytes } = chunk?;
            voices.hear(stream, &bytes, teller);
        }
        let ended = self.port.ended(container).await?;
        voices.ended(ended.code, teller);
        Ok(ended)
    }

    fn container(&self, script: Vec<String>) -> ContainerSpec {
        let Plan { session, variables, cpu_millis, memory_mib, .. } = self.plan;
        let literal = |v: &planner::Variable| Some(format!("{}={}", v.name, v.literal.as_ref()?));
        let shell = ["/bin/sh", "-lc"].map(str::to_owned);
        ContainerSpec {
            image: self.image.to_owned(),
            command: shell.into_iter().chain(script).collect(),
            user: session.user.clone(),
            workdir: session.workdir.clone().or_else(|| Some(session.home.clone())),
            environment: variables.iter().filter_map(literal).collect(),
            cpu_millis: *cpu_millis,
            memory: memory_mib.map(|mib| mib.saturating_mul(1 << 20)),
            labels: self.identity.labels(),
        }
    }
}
