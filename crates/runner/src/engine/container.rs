//! One container: made, started with its output followed, and how it ended.

use bollard::Docker;
use bollard::container::LogOutput;
use bollard::models::{ContainerCreateBody, HealthConfig, HostConfig};
use bollard::query_parameters as query;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use triage::EngineError;

use super::error::typed;
use super::port::{ContainerSpec, Created, Ended, Output};
use crate::Stream;

/// Makes a container that runs the given command, whatever the image's own settings say.
pub(super) async fn create(
    docker: &Docker,
    platform: &str,
    spec: &ContainerSpec,
) -> Result<Created, EngineError> {
    let ContainerSpec { image, command, user, workdir, environment, cpu_millis, memory, labels } =
        spec;
    let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let body = ContainerCreateBody {
        image: Some(image.clone()),
        // An entrypoint of ours also makes the engine forget the image's CMD.
        entrypoint: Some(command.clone()),
        user: Some(user.clone()),
        working_dir: workdir.clone(),
        env: Some(environment.clone()),
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        labels: Some(labels.clone().into_iter().collect()),
        healthcheck: Some(HealthConfig {
            test: Some(vec!["NONE".to_owned()]),
            ..Default::default()
        }),
        host_config: Some(HostConfig {
            nano_cpus: cpu_millis.map(|millis| signed(millis.saturating_mul(1_000_000))),
            memory: memory.map(signed),
            // Equal to memory: no swap, as a machine of that size would have.
            memory_swap: memory.map(signed),
            ..Default::default()
        }),
        ..Default::default()
    };
    let options = query::CreateContainerOptions { name: None, platform: platform.to_owned() };
    let made = docker.create_container(Some(options), body).await.map_err(|e| typed(&e))?;
    Ok(Created { id: made.id, warnings: made.warnings })
}

/// Attaches first, so that no byte is lost, then starts.
pub(super) async fn start(
    docker: &Docker,
    id: &str,
) -> Result<BoxStream<'static, Result<Output, EngineError>>, EngineError> {
    let options = query::AttachContainerOptions {
        stream: true,
        stdout: true,
        stderr: true,
        ..Default::default()
    };
    let attached = docker.attach_container(id, Some(options)).await.map_err(|e| typed(&e))?;
    docker
        .start_container(id, None::<query::StartContainerOptions>)
        .await
        .map_err(|e| typed(&e))?;
    Ok(attached.output.map_err(|e| typed(&e)).map_ok(output).boxed())
}

fn output(chunk: LogOutput) -> Output {
    match chunk {
        LogOutput::StdErr { message } => Output { stream: Stream::Stderr, bytes: message },
        LogOutput::StdOut { message }
        | LogOutput::StdIn { message }
        | LogOutput::Console { message } => Output { stream: Stream::Stdout, bytes: message },
    }
}

/// The truth about the end is in `inspect`: `wait` makes an error of a non-zero exit code.
pub(super) async fn ended(docker: &Docker, id: &str) -> Result<Ended, EngineError> {
    let options = query::WaitContainerOptions { condition: "not-running".to_owned() };
    let mut waiting = docker.wait_container(id, Some(options));
    if let Some(Err(error)) = waiting.next().await {
        match error {
            bollard::errors::Error::DockerContainerWaitError { .. } => {}
            other => return Err(typed(&other)),
        }
    }
    let state = docker
        .inspect_container(id, None::<query::InspectContainerOptions>)
        .await
        .map_err(|e| typed(&e))?
        .state
        .unwrap_or_default();
    Ok(Ended { code: state.exit_code.unwrap_or(-1), oom_killed: state.oom_killed.unwrap_or(false) })
}
