//! How long is waited and how often something is tried again.

use std::future::Future;
use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use crate::failure::ReadFailure;

/// How long is waited for a registry, and how often it is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the head of an answer.
    pub answer: Duration,
    /// For the next byte of a body.
    pub silence: Duration,
    /// Before the first repetition; doubled before each further one, give or take a half.
    pub pause: Duration,
    /// The longest wait that a registry may ask for and is given.
    pub longest_pause: Duration,
    /// How often in all.
    pub tries: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(15),
            silence: Duration::from_secs(30),
            pause: Duration::from_millis(300),
            longest_pause: Duration::from_secs(10),
            tries: 3,
        }
    }
}

/// Does something again while that can help.
pub(super) async fn times<T, F: Future<Output = Result<T, ReadFailure>>>(
    patience: Patience,
    mut once: impl FnMut() -> F,
) -> Result<T, ReadFailure> {
    let mut tries = 0;
    loop {
        match once().await {
            Err(failure) if failure.is_worth_a_retry() && tries + 1 < patience.tries => {
                let Some(pause) = pause(patience, tries, failure.retry_after_s) else {
                    return Err(failure);
                };
                tokio::time::sleep(pause).await;
                tries += 1;
            }
            other => return other,
        }
    }
}

/// How long to wait; `None` when the registry asks for more than is given.
pub(super) fn pause(patience: Patience, tries: u32, asked_s: Option<u64>) -> Option<Duration> {
    match asked_s.map(Duration::from_secs) {
        Some(asked) if asked > patience.longest_pause => None,
        Some(asked) => Some(asked.max(jittered(patience.pause))),
        None => Some(jittered(patience.pause * 2_u32.pow(tries.min(8)))),
    }
}

/// Half to one and a half of a time, so that many clients do not come back at once.
fn jittered(time: Duration) -> Duration {
    let random = RandomState::new().hash_one(0_u8) % 1_000;
    time / 2 + time * u32::try_from(random).unwrap_or(500) / 1_000
}
