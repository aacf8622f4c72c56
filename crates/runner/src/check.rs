//! One run: pull, build, try, clean up.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use planner::NotProven;
use tokio_util::sync::CancellationToken;
use triage::{EngineError, Observed, Phase};

use crate::build::{Order, Steps, build, dockerfile};
use crate::context::{Archive, Objects};
use crate::engine::{Builder, EngineInfo, Port, Reference};
use crate::identity::Identity;
use crate::leftovers::{Removed, forget_old_cache, remove_all_of, remove_image};
use crate::smoke::Smoke;
use crate::teller::Teller;
use crate::{CheckRequest, Engine, Event, Outcome, PhaseTime, Reporter, failure, pull};

/// The build argument that another base comes in by.
const BASE_ARGUMENT: &str = "AUTO_ENVIRONMENT_BASE";

/// How often a build is begun, where only the builder is to blame.
const TRIES: u32 = 5;

/// The connections that a build is about to take for itself, beside the one that is there.
const AT_ONCE: usize = 2;

/// The phases in which an image grows.
const BUILT: RangeInclusive<Phase> = Phase::Probe..=Phase::Setup;

/// Builds and tries a plan. Whatever happens is told to `reporter`; the last event holds the
/// outcome that is returned.
pub async fn check(
    engine: &Engine,
    request: &CheckRequest,
    reporter: &mut dyn Reporter,
    cancel: &CancellationToken,
) -> Outcome {
    engine.client().open_ahead(AT_ONCE);
    check_on(engine.port(), engine.describe(), request, reporter, cancel).await
}

/// The same on any port.
pub(crate) async fn check_on<P: Port>(
    port: &P,
    info: &EngineInfo,
    request: &CheckRequest,
    reporter: &mut dyn Reporter,
    cancel: &CancellationToken,
) -> Outcome {
    let stop = cancel.child_token();
    let identity = Identity::new();
    let mut teller = Teller::new(reporter, stop.clone());
    teller.tell(&started(info, request, &identity));
    let mut run = Run { port, request, identity: &identity, stop: &stop, image: None };
    let result = run.until_tried(&mut teller).await;
    let kept = run.keep(&mut teller).await;
    let failed = result.and(kept).err();
    if let Some(observed) = &failed {
        teller.tell(&Event::Failed { failure: failure::of(observed, request) });
    }
    let (removed, left) = run.clean_up(failed.as_ref()).await;
    let grew = |time: &PhaseTime| BUILT.contains(&time.phase) && !time.cached;
    if port.builder() == Builder::Classic && teller.outcome().phases.iter().any(grew) {
        forget_old_cache(port).await;
    }
    teller.tell(&Event::CleanedUp { removed, left });
    let outcome = teller.outcome();
    teller.tell(&Event::RunFinished { outcome: outcome.clone() });
    outcome
}

struct Run<'a, P> {
    port: &'a P,
    request: &'a CheckRequest,
    identity: &'a Identity,
    stop: &'a CancellationToken,
    image: Option<String>,
}

impl<P: Port> Run<'_, P> {
    async fn until_tried(&mut self, teller: &mut Teller<'_>) -> Result<(), Observed> {
        let Self { port, request, identity, stop, .. } = *self;
        let reference = Reference::split(base_of(request));
        let began = teller.begin(Phase::PreBuild);
        // git is asked for the commit while the engine is asked for the base.
        let name = reference.name();
        let both = async { tokio::join!(self.archive(), port.image(&name)) };
        let (archive, known) = tokio::select! {
            () = stop.cancelled() => {
                let error = EngineError::Cancelled;
                return Err(Observed { phase: Phase::PreBuild, error, step: None });
            }
            both = both => both,
        };
        teller.finish(Phase::PreBuild, began, false);
        let mut archive = archive?;
        let known = known.map_err(|error| Observed { phase: Phase::Pull, error, step: None })?;
        let silence = request.timeouts.silence;
        let base =
            pull::ensure(port, &reference, request.pull, known, silence, teller, stop).await?;
        if let Some(what) = lost_below(&base.volumes, port.builder()) {
            teller.tell(&Event::LeftUnproven { what });
        }
        let mut tries = 1;
        let image = loop {
            match build(port, self.order(), archive, teller, stop).await {
                Err(observed) if tries < TRIES && is_of_the_builder(&observed) => {
                    tries += 1;
                    archive = self.archive().await?;
                }
                result => break result?,
            }
        };
        self.image = Some(image.clone());
        let smoke = Smoke {
            port,
            plan: &request.plan,
            image: &image,
            identity,
            limit: request.timeouts.smoke,
            cancel: stop,
        };
        smoke.run(&request.smoke, teller).await
    }

    /// The context, with git already at work.
    async fn archive(&self) -> Result<Archive, Observed> {
        let text = dockerfile(&self.request.plan, self.port.builder());
        let made = match &self.request.context {
            None => Archive::without_files(&text),
            Some(context) => match Objects::open(&context.repository, &context.commit).await {
                Ok(objects) => Archive::start(objects, &text),
                Err(error) => Err(error),
            },
        };
        made.map_err(|error| Observed {
            phase: Phase::PreBuild,
            error: EngineError::Context { message: error.in_one_line() },
            step: None,
        })
    }

    fn order(&self) -> Order<'_> {
        let CheckRequest { plan, base, timeouts, .. } = self.request;
        let base = base.iter().map(|base| (BASE_ARGUMENT.to_owned(), base.clone()));
        Order {
            steps: Steps::of(plan, timeouts),
            arguments: base.collect::<BTreeMap<_, _>>(),
            labels: match self.port.builder() {
                Builder::Buildkit => self.identity.labels(),
                // A label of the run would cost a layer, and its image would only be one more
                // name for what stays as the cache anyway.
                Builder::Classic => BTreeMap::new(),
            },
            timeouts,
        }
    }

    /// Removes what was made.
    async fn clean_up(&self, failed: Option<&Observed>) -> Removed {
        let kept = self.image.as_deref().filter(|_| self.request.keep);
        let cut_off = match failed.map(|observed| &observed.error) {
            // Containers are gone by now: each was removed when its command ended. The classic
            // builder's image is its cache.
            None => match (self.port.builder(), kept) {
                (Builder::Buildkit, None) => {
                    return remove_image(self.port, self.image.as_deref()).await;
                }
                _ => return (0, Vec::new()),
            },
            Some(EngineError::Cancelled | EngineError::TimedOut { .. }) => true,
            Some(_) => false,
        };
        remove_all_of(self.port, &self.identity.run, kept, cut_off).await
    }

    /// Gives the image a name, when it is to stay.
    async fn keep(&self, teller: &mut Teller<'_>) -> Result<(), Observed> {
        let (Some(image), true) = (&self.image, self.request.keep) else { return Ok(()) };
        let repository = format!("drydock/{}", slug(&self.request.plan.environment));
        let tag = &self.identity.run;
        self.port.tag(image, &repository, tag).await.map_err(|error| Observed {
            phase: Phase::Export,
            error,
            step: None,
        })?;
        teller.tell(&Event::ImageKept { name: format!("{repository}:{tag}") });
        Ok(())
    }
}

fn base_of(request: &CheckRequest) -> &str {
    request.base.as_deref().unwrap_or(&request.plan.base.reference)
}

fn started(info: &EngineInfo, request: &CheckRequest, identity: &Identity) -> Event {
    let mut not_proven = request.plan.not_proven.clone();
    let mut add = |what: &str, why: String| {
        not_proven.push(NotProven { what: what.to_owned(), why });
    };
    if !matches!(info.architecture.as_str(), "amd64" | "x86_64" | "") {
        add("native-cpu", format!("the engine runs on {} and emulates x86-64", info.architecture));
    }
    if let Some(base) = &request.base {
        let authored = &request.plan.base.reference;
        add("authored-base", format!("this run tried {base} in place of {authored}"));
    }
    Event::RunStarted {
        run: identity.run.clone(),
        plan_digest: request.plan.digest.clone(),
        environment: request.plan.environment.clone(),
        base: base_of(request).to_owned(),
        engine: format!("{} {}", info.name, info.version),
        builder: info.builder.name().to_owned(),
        commit: request.context.as_ref().map(|context| context.commit.clone()),
        not_proven,
    }
}

/// The classic builder runs each step in a container, and what lies on a container's volume is not
/// part of the image that it becomes.
fn lost_below(volumes: &[String], builder: Builder) -> Option<NotProven> {
    if volumes.is_empty() || builder == Builder::Buildkit {
        return None;
    }
    let mut volumes: Vec<_> = volumes.iter().map(String::as_str).collect();
    volumes.sort_unstable();
    let why = format!(
        "the base declares VOLUME {}: the classic builder throws away what a step or setup writes there, BuildKit keeps it",
        volumes.join(", ")
    );
    Some(NotProven { what: "base-volume".to_owned(), why })
}

/// What BuildKit does to a build that is no fault of anything that is tried.
fn is_of_the_builder(observed: &Observed) -> bool {
    let Observed { phase, error, step } = observed;
    match error {
        // It lost sight of our half of its session.
        EngineError::Stream { message } => message.contains("no active session"),
        // It runs a step that two builds share once, and may tell only one of them which step failed
        // and what that said. Of those that ask again, at least one is told.
        EngineError::Exit { .. } => *phase == Phase::PreBuild && step.is_none(),
        _ => false,
    }
}

/// A name that an image may have: lower-case letters, digits, single dashes.
fn slug(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let slug = parts.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    if slug.is_empty() { "environment".to_owned() } else { slug.chars().take(64).collect() }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn any_environment_has_an_image_name() {
        for (name, expected) in [
            ("Web App", "web-app"),
            ("a..b__c/", "a-b-c"),
            ("漢字", "environment"),
            ("", "environment"),
        ] {
            assert_eq!(slug(name), expected);
        }
    }
}
