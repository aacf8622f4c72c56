//! A build request on either builder, and its stream in our own types.

use std::time::Duration;

use bollard::Docker;
use bollard::models::{BuildInfo, BuildInfoAux};
use bollard::query_parameters::{BuildImageOptions, BuilderVersion};
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use triage::EngineError;

use super::Builder;
use super::error::typed;
use super::port::{BuildRequest, BuildUpdate, ContextStream, Vertex};
use crate::Stream;

/// An engine answers a build only once it has the whole context, and a context takes its time;
/// the run has its own watchdog, so bollard's limit must never be the first.
const ANSWER_WITHIN: Duration = Duration::from_secs(24 * 3600);

/// Starts a build.
pub(super) fn build<'a>(
    docker: &Docker,
    builder: Builder,
    platform: &str,
    request: BuildRequest,
    context: ContextStream,
) -> BoxStream<'a, Result<BuildUpdate, EngineError>> {
    let BuildRequest { arguments, labels } = request;
    let mut options = BuildImageOptions {
        dockerfile: "Dockerfile".to_owned(),
        rm: true,
        forcerm: true,
        platform: platform.to_owned(),
        buildargs: Some(arguments.into_iter().collect()),
        labels: Some(labels.into_iter().collect()),
        ..Default::default()
    };
    match builder {
        Builder::Classic => {}
        Builder::Buildkit => {
            options.version = BuilderVersion::BuilderBuildKit;
            // One session serves one build: a second build under the same id is refused.
            options.session = Some(crate::identity::random());
        }
    }
    let docker = docker.clone().with_timeout(ANSWER_WITHIN);
    let body = bollard::body_try_stream(context);
    // The stream borrows the client that it runs on, so both travel together.
    let (send, receive) = tokio::sync::mpsc::channel(64);
    let task = tokio::spawn(async move {
        let mut updates = docker.build_image(options, None, Some(body));
        while let Some(update) = updates.next().await {
            if send.send(update).await.is_err() {
                return;
            }
        }
    });
    let guard = tokio_util::task::AbortOnDropHandle::new(task);
    stream::unfold((receive, guard), |(mut receive, guard)| async move {
        receive.recv().await.map(|update| (update, (receive, guard)))
    })
    .map_err(|error| typed(&error))
    .map_ok(|info| stream::iter(ours(info).into_iter().map(Ok)))
    .try_flatten()
    .boxed()
}

fn ours(info: BuildInfo) -> Vec<BuildUpdate> {
    let mut all = Vec::new();
    if let Some(text) = info.stream {
        all.push(BuildUpdate::Text { text });
    }
    match info.aux {
        None => {}
        Some(BuildInfoAux::Default(image)) => {
            all.extend(image.id.map(|id| BuildUpdate::Image { id }));
        }
        Some(BuildInfoAux::BuildKit(response)) => {
            for vertex in response.vertexes {
                all.push(BuildUpdate::Vertex(Vertex {
                    digest: vertex.digest,
                    name: vertex.name,
                    started_ms: vertex.started.map(|at| milliseconds(at.seconds, at.nanos)),
                    completed_ms: vertex.completed.map(|at| milliseconds(at.seconds, at.nanos)),
                    cached: vertex.cached,
                    error: vertex.error,
                }));
            }
            for log in response.logs {
                let stream = if log.stream == 2 { Stream::Stderr } else { Stream::Stdout };
                all.push(BuildUpdate::Log { vertex: log.vertex, stream, bytes: log.msg });
            }
            if !response.statuses.is_empty() {
                all.push(BuildUpdate::Progress);
            }
        }
    }
    all
}

fn milliseconds(seconds: i64, nanos: i32) -> i64 {
    seconds.saturating_mul(1000).saturating_add(i64::from(nanos) / 1_000_000)
}
