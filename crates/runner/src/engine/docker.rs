//! The port on a real engine, through bollard.

use std::collections::{BTreeMap, HashMap};

use bollard::Docker;
use bollard::auth::DockerCredentials;
use bollard::models::{ContainerSummary, ImageSummary};
use bollard::query_parameters as query;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use triage::EngineError;

use super::credentials::{CredentialStore, Credentials, Secret};
use super::error::{is_going, is_missing, typed};
use super::port::{
    BuildRequest, BuildUpdate, ContainerSpec, ContextStream, Created, Ended, Labelled, LocalImage,
    Output, Port, PullUpdate,
};
use super::{Builder, Reference, build_stream, container};

/// What every plan is built for.
const PLATFORM: &str = "linux/amd64";

/// An engine. Each request takes a connection of its own, so it can be shared.
#[derive(Debug)]
pub(crate) struct DockerPort {
    docker: Docker,
    builder: Builder,
    credentials: CredentialStore,
}

impl DockerPort {
    pub(crate) const fn new(
        docker: Docker,
        builder: Builder,
        credentials: CredentialStore,
    ) -> Self {
        Self { docker, builder, credentials }
    }

    async fn credentials_for(
        &self,
        reference: &Reference,
    ) -> Result<Option<DockerCredentials>, EngineError> {
        // What cannot be read is not "no credentials": the registry's refusal would mislead.
        let found = self.credentials.find(reference.registry()).await;
        let found = found.map_err(|message| EngineError::Stream {
            message: format!("credentials for {}: {message}", reference.registry()),
        })?;
        Ok(found.map(for_bollard))
    }
}

fn for_bollard(credentials: Credentials) -> DockerCredentials {
    let Credentials { registry, secret } = credentials;
    let mut made = DockerCredentials { serveraddress: Some(registry), ..Default::default() };
    match secret {
        Secret::Password { user, password } => {
            made.username = Some(user);
            made.password = Some(password);
        }
        Secret::IdentityToken(token) => made.identitytoken = Some(token),
    }
    made
}

impl Port for DockerPort {
    fn builder(&self) -> Builder {
        self.builder
    }

    async fn image(&self, reference: &str) -> Result<Option<LocalImage>, EngineError> {
        match self.docker.inspect_image(reference).await {
            Ok(image) => Ok(Some(LocalImage {
                id: image.id.unwrap_or_default(),
                platform: format!(
                    "{}/{}",
                    image.os.unwrap_or_default(),
                    image.architecture.unwrap_or_default()
                ),
                volumes: image.config.and_then(|config| config.volumes).unwrap_or_default(),
            })),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(typed(&error)),
        }
    }

    fn pull<'a>(
        &'a self,
        reference: &'a Reference,
    ) -> BoxStream<'a, Result<PullUpdate, EngineError>> {
        let opened = async move {
            let credentials = self.credentials_for(reference).await?;
            let options = query::CreateImageOptions {
                from_image: Some(reference.repository.clone()),
                tag: Some(reference.version.clone()),
                platform: PLATFORM.to_owned(),
                ..Default::default()
            };
            Ok(self.docker.create_image(Some(options), None, credentials))
        };
        stream::once(opened)
            .map_ok(|updates| updates.map(|update| update.map_err(|e| typed(&e)).map(layer)))
            .try_flatten()
            .boxed()
    }

    fn build(
        &self,
        request: BuildRequest,
        context: ContextStream,
    ) -> BoxStream<'_, Result<BuildUpdate, EngineError>> {
        build_stream::build(&self.docker, self.builder, PLATFORM, request, context)
    }

    async fn tag(&self, image: &str, repository: &str, tag: &str) -> Result<(), EngineError> {
        let options =
            query::TagImageOptions { repo: Some(repository.to_owned()), tag: Some(tag.to_owned()) };
        self.docker.tag_image(image, Some(options)).await.map_err(|e| typed(&e))
    }

    async fn create(&self, spec: &ContainerSpec) -> Result<Created, EngineError> {
        container::create(&self.docker, PLATFORM, spec).await
    }

    async fn start(
        &self,
        id: &str,
    ) -> Result<BoxStream<'static, Result<Output, EngineError>>, EngineError> {
        container::start(&self.docker, id).await
    }

    async fn ended(&self, id: &str) -> Result<Ended, EngineError> {
        container::ended(&self.docker, id).await
    }

    async fn remove_container(&self, id: &str) -> Result<(), EngineError> {
        let options = query::RemoveContainerOptions { v: true, force: true, link: false };
        match self.docker.remove_container(id, Some(options)).await {
            Err(error) if !is_missing(&error) && !is_going(&error) => Err(typed(&error)),
            _ => Ok(()),
        }
    }

    async fn remove_image(&self, id: &str) -> Result<(), EngineError> {
        let options = query::RemoveImageOptions { force: true, noprune: true, platforms: None };
        match self.docker.remove_image(id, Some(options), None).await {
            Err(error) if !is_missing(&error) => Err(typed(&error)),
            _ => Ok(()),
        }
    }

    async fn remove_chain(&self, id: &str) -> Result<(), EngineError> {
        let options = query::RemoveImageOptions { force: false, noprune: false, platforms: None };
        let removed = self.docker.remove_image(id, Some(options), None).await;
        removed.map(drop).map_err(|e| typed(&e))
    }

    async fn containers(&self, label: &str) -> Result<Vec<Labelled>, EngineError> {
        let options = query::ListContainersOptions {
            all: true,
            filters: Some(labelled(label)),
            ..Default::default()
        };
        let found = self.docker.list_containers(Some(options)).await.map_err(|e| typed(&e))?;
        Ok(found.into_iter().map(from_container).collect())
    }

    async fn images(&self, label: &str) -> Result<Vec<Labelled>, EngineError> {
        let options = query::ListImagesOptions {
            all: true,
            filters: Some(labelled(label)),
            ..Default::default()
        };
        let found = self.docker.list_images(Some(options)).await.map_err(|e| typed(&e))?;
        Ok(found.into_iter().map(from_image).collect())
    }
}

fn labelled(label: &str) -> HashMap<String, Vec<String>> {
    HashMap::from([("label".to_owned(), vec![label.to_owned()])])
}

fn from_container(found: ContainerSummary) -> Labelled {
    Labelled {
        id: found.id.unwrap_or_default(),
        labels: found.labels.into_iter().flatten().collect(),
        names: found.names.unwrap_or_default(),
        created_s: found.created.unwrap_or_default(),
    }
}

fn from_image(found: ImageSummary) -> Labelled {
    // Old engines name what has no name `<none>:<none>`.
    let names = found.repo_tags.into_iter().filter(|name| !name.starts_with("<none>")).collect();
    let labels: BTreeMap<_, _> = found.labels.into_iter().collect();
    Labelled { id: found.id, labels, names, created_s: found.created }
}

fn layer(info: bollard::models::CreateImageInfo) -> PullUpdate {
    let detail = info.progress_detail;
    let number = |value: Option<i64>| value.and_then(|n| u64::try_from(n).ok());
    PullUpdate {
        layer: info.id,
        current: number(detail.as_ref().and_then(|d| d.current)),
        total: number(detail.as_ref().and_then(|d| d.total)),
        downloading: info.status.as_deref() == Some("Downloading"),
    }
}
