//! Connecting to the engine that is found: which API version is spoken, which builder is used.

use std::sync::Arc;

use bollard::{API_DEFAULT_VERSION, BollardRequest, ClientVersion, Docker};
use endpoint::{Client, NoEngine, Ping, Reached, find};

use super::credentials::CredentialStore;
use super::docker::DockerPort;
use super::{Builder, BuilderChoice, Engine, EngineInfo, EngineOptions};

/// How long the engine may take to *begin* an answer, in seconds. Builds and pulls stream and have
/// a watchdog of their own.
const ANSWER_WITHIN_S: u64 = 120;

/// Finds an engine the way Docker's own client does.
///
/// # Errors
/// [`NoEngine`] says what was tried, each with its reason.
pub async fn connect(options: &EngineOptions) -> Result<Engine, NoEngine> {
    find(&options.search, |reached| take(reached, options)).await
}

async fn take(reached: Reached, options: &EngineOptions) -> Result<Engine, String> {
    let Reached { client, ping, host, named_by } = reached;
    let docker = open(&client, &spoken(&ping)).map_err(|e| super::error::in_words(&e))?;
    let version = docker.version().await.map_err(|e| super::error::in_words(&e))?;
    let podman =
        ping.podman || version.components.iter().flatten().any(|part| part.name.contains("Podman"));
    let info = EngineInfo {
        name: if podman { "Podman" } else { "Docker Engine" }.to_owned(),
        version: version.version.unwrap_or_default(),
        api: ping.api.clone().or(version.api_version).unwrap_or_default(),
        builder: choose(options.builder, &ping, podman)?,
        host,
        found_by: named_by,
        podman,
        architecture: version.arch.unwrap_or_default(),
    };
    let credentials = CredentialStore::new(&options.search.environment);
    let port = Arc::new(DockerPort::new(docker, info.builder, credentials));
    Ok(Engine { info, port, client })
}

/// bollard over the connections of ours, whatever kind they are.
fn open(client: &Client, version: &ClientVersion) -> Result<Docker, bollard::errors::Error> {
    let client = client.clone();
    let send = move |request: BollardRequest| {
        let client = client.clone();
        async move { client.request(request).await.map_err(Into::into) }
    };
    Docker::connect_with_custom_transport(send, Some("http://engine"), ANSWER_WITHIN_S, version)
}

/// The newest API version that both sides know.
fn spoken(answer: &Ping) -> ClientVersion {
    let ours = (API_DEFAULT_VERSION.major_version, API_DEFAULT_VERSION.minor_version);
    let (major, minor) = answer.api.as_deref().and_then(numbers).map_or(ours, |api| api.min(ours));
    ClientVersion { major_version: major, minor_version: minor }
}

fn numbers(version: &str) -> Option<(usize, usize)> {
    let (major, minor) = version.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// `Auto` takes BuildKit unless the engine says that it prefers the classic builder. Docker 20.10
/// says nothing although it holds BuildKit; API 1.40 (19.03) is the first with a stable one.
fn choose(choice: BuilderChoice, answer: &Ping, podman: bool) -> Result<Builder, String> {
    let has_buildkit =
        !podman && answer.api.as_deref().and_then(numbers).is_none_or(|api| api >= (1, 40));
    match choice {
        BuilderChoice::Classic => Ok(Builder::Classic),
        BuilderChoice::Buildkit if has_buildkit => Ok(Builder::Buildkit),
        BuilderChoice::Buildkit => {
            Err("it has no BuildKit; leave --builder away or write --builder classic".to_owned())
        }
        BuilderChoice::Auto if has_buildkit && answer.builder.as_deref() != Some("1") => {
            Ok(Builder::Buildkit)
        }
        BuilderChoice::Auto => Ok(Builder::Classic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(api: &str, builder: Option<&str>) -> Ping {
        Ping { api: Some(api.to_owned()), builder: builder.map(str::to_owned), podman: false }
    }

    #[test]
    fn the_builder_follows_the_request_then_the_engine() {
        use BuilderChoice::{Auto, Buildkit as WantBuildkit, Classic as WantClassic};
        for (choice, api, says, podman, expected) in [
            (Auto, "1.51", Some("2"), false, Some(Builder::Buildkit)),
            (Auto, "1.41", None, false, Some(Builder::Buildkit)),
            (Auto, "1.41", Some("1"), false, Some(Builder::Classic)),
            (Auto, "1.39", None, false, Some(Builder::Classic)),
            (Auto, "1.41", None, true, Some(Builder::Classic)),
            (WantClassic, "1.51", Some("2"), false, Some(Builder::Classic)),
            (WantBuildkit, "1.41", Some("1"), false, Some(Builder::Buildkit)),
            (WantBuildkit, "1.41", None, true, None),
        ] {
            let chosen = choose(choice, &answer(api, says), podman);
            assert_eq!(chosen.ok(), expected, "{choice:?} {api} {says:?} podman={podman}");
        }
    }

    #[test]
    fn the_older_side_decides_the_api_version() {
        let version = spoken(&answer("1.41", None));
        assert_eq!((version.major_version, version.minor_version), (1, 41));
        let version = spoken(&answer("1.999", None));
        assert_eq!(version.minor_version, API_DEFAULT_VERSION.minor_version);
    }
}
