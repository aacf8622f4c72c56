//! The base: there already, or pulled, and for the right platform.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tokio_util::sync::CancellationToken;
use triage::{EngineError, Observed, Phase};

use crate::engine::{LocalImage, Port, PullUpdate, Reference};
use crate::teller::Teller;
use crate::{Event, PullPolicy};

/// What every plan is built for.
const PLATFORM: &str = "linux/amd64";
/// How often progress is told.
const EVERY: Duration = Duration::from_millis(200);

/// Makes sure that the engine has the base, and returns it. `known` is what it has under that name.
pub(crate) async fn ensure<P: Port>(
    port: &P,
    reference: &Reference,
    policy: PullPolicy,
    known: Option<LocalImage>,
    silence: Duration,
    teller: &mut Teller<'_>,
    cancel: &CancellationToken,
) -> Result<LocalImage, Observed> {
    let began = teller.begin(Phase::Pull);
    let right = known.as_ref().is_some_and(|image| image.platform == PLATFORM);
    let result = match (policy, known) {
        (PullPolicy::Never, Some(image)) => Ok((image, true)),
        (PullPolicy::Missing, Some(image)) if right => Ok((image, true)),
        // The name may also stand for an image for our platform; when it does not, what is there says why.
        (PullPolicy::Missing, Some(image)) => {
            match pull(port, reference, silence, teller, cancel).await {
                Ok(pulled) => Ok((pulled, false)),
                Err(EngineError::Status { .. } | EngineError::Stream { .. }) => Ok((image, true)),
                Err(error) => Err(error),
            }
        }
        (PullPolicy::Never, None) => Err(EngineError::Status {
            status: 404,
            message: format!("No such image: {} (and --pull never)", reference.name()),
        }),
        (PullPolicy::Missing, None) | (PullPolicy::Always, _) => {
            pull(port, reference, silence, teller, cancel).await.map(|image| (image, false))
        }
    };
    let result = result.and_then(|(image, cached)| match image.platform.as_str() {
        // A single-manifest image of another architecture is pulled without a complaint.
        PLATFORM => Ok((image, cached)),
        found => Err(EngineError::WrongPlatform { found: found.to_owned() }),
    });
    teller.finish(Phase::Pull, began, matches!(result, Ok((_, true))));
    let result = result.map(|(image, _)| image);
    result.map_err(|error| Observed { phase: Phase::Pull, error, step: None })
}

async fn pull<P: Port>(
    port: &P,
    reference: &Reference,
    silence: Duration,
    teller: &mut Teller<'_>,
    cancel: &CancellationToken,
) -> Result<LocalImage, EngineError> {
    let mut updates = port.pull(reference);
    let mut layers = Layers::default();
    loop {
        let update = tokio::select! {
            () = cancel.cancelled() => return Err(EngineError::Cancelled),
            update = tokio::time::timeout(silence, updates.next()) => update,
        };
        match update {
            Err(_) => {
                return Err(EngineError::TimedOut { limit_s: silence.as_secs(), silent: true });
            }
            Ok(None) => break,
            Ok(Some(update)) => {
                if let Some((current, total)) = layers.take(update?) {
                    teller.tell(&Event::PullProgressed { current, total });
                }
            }
        }
    }
    drop(updates);
    port.image(&reference.name()).await?.ok_or_else(|| EngineError::Stream {
        message: format!("{} was pulled and is not there", reference.name()),
    })
}

/// The sum over all layers.
#[derive(Default)]
struct Layers {
    sizes: HashMap<String, (u64, Option<u64>)>,
    told: Option<Instant>,
}

impl Layers {
    /// The sum, when it is time to tell it.
    fn take(&mut self, update: PullUpdate) -> Option<(u64, Option<u64>)> {
        let PullUpdate { layer, current, total, downloading } = update;
        if !downloading {
            return None;
        }
        self.sizes.insert(layer?, (current?, total));
        if self.told.is_some_and(|told| told.elapsed() < EVERY) {
            return None;
        }
        self.told = Some(Instant::now());
        let current = self.sizes.values().map(|(current, _)| current).sum();
        let total = self.sizes.values().map(|(_, total)| *total).sum::<Option<u64>>();
        Some((current, total))
    }
}
