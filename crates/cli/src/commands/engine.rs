//! Flags that several commands share: which engine.

use std::future::Future;

use clap::ValueEnum;
use runner::{BuilderChoice, EngineEnvironment, EngineOptions, Search};

use crate::fault::Fault;

/// The way out when no engine answers.
pub(crate) const START_ONE: &str = "start Docker, or name an engine with `--host unix:///path/to/docker.sock` or `--host ssh://user@host`";

/// Which engine.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HostArgs {
    /// The engine's address; else `DOCKER_HOST`, `DOCKER_CONTEXT`, the current context, the default
    /// socket, Podman's socket
    #[arg(long, value_name = "URL", help_heading = "Engine")]
    host: Option<String>,
}

impl HostArgs {
    /// What finding it takes.
    pub(crate) fn lower(self) -> Search {
        let Self { host } = self;
        Search { host, environment: EngineEnvironment::of_this_process() }
    }
}

/// Which engine, and which of its builders.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    host: HostArgs,
    /// The engine's builder
    #[arg(long, value_enum, default_value_t = Builder::Auto, help_heading = "Engine")]
    builder: Builder,
}

/// The engine's builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Builder {
    /// BuildKit where the engine has it
    Auto,
    /// The classic builder
    Classic,
    /// BuildKit
    Buildkit,
}

impl EngineArgs {
    /// What the runner needs to know.
    pub(crate) fn lower(self) -> EngineOptions {
        let Self { host, builder } = self;
        EngineOptions {
            search: host.lower(),
            builder: match builder {
                Builder::Auto => BuilderChoice::Auto,
                Builder::Classic => BuilderChoice::Classic,
                Builder::Buildkit => BuilderChoice::Buildkit,
            },
        }
    }
}

/// Runs asynchronous work. Only commands that speak to an engine or a registry pay for this.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Fault::ours(format!("no runtime: {error}")))?;
    let result = runtime.block_on(work);
    // A blocking read of a pipe that nobody writes must not keep the program alive.
    runtime.shutdown_background();
    Ok(result)
}
