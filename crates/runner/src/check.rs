//! One run: pull, build, try, clean up.

use tokio_util::sync::CancellationToken;

use crate::{CheckRequest, Engine, Outcome, Reporter, fold};

/// Builds and tries a plan. Whatever happens is told to `reporter`; the last event holds the
/// outcome that is returned.
pub async fn check(
    _engine: &Engine,
    _request: &CheckRequest,
    _reporter: &mut dyn Reporter,
    _cancel: &CancellationToken,
) -> Outcome {
    fold(&[])
}
