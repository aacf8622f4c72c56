//! The port that plays a recording.

use std::cell::RefCell;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use triage::EngineError;

use super::cases::{Case, Said};
use crate::Stream;
use crate::engine::{
    BuildRequest, BuildUpdate, Builder, ContainerSpec, ContextStream, Created, Ended, Labelled,
    LocalImage, Output, Port, PullUpdate, Reference,
};

/// Plays one build, and a smoke container that is content.
pub(super) struct Player {
    builder: Builder,
    said: Said,
    /// What the first build of all says instead.
    first: RefCell<Option<Said>>,
}

impl Player {
    pub(super) fn of(case: &Case) -> Self {
        Self { builder: case.builder(), said: case.said(), first: RefCell::default() }
    }

    /// Says every vertex twice, as BuildKit may.
    pub(super) fn stuttering(case: &Case) -> Self {
        let twice = |said: Result<BuildUpdate, EngineError>| match said {
            Ok(update @ BuildUpdate::Vertex(_)) => vec![Ok(update.clone()), Ok(update)],
            once => vec![once],
        };
        let said = case.said().into_iter().flat_map(twice).collect();
        Self { said, ..Self::of(case) }
    }

    /// Does not tell the first build which step failed, as BuildKit may when another build shares the step.
    pub(super) fn telling_another(case: &Case) -> Self {
        let untold = |said: &Result<BuildUpdate, EngineError>| match said {
            Ok(BuildUpdate::Vertex(vertex)) => vertex.error.is_empty(),
            Ok(BuildUpdate::Log { .. }) => false,
            _ => true,
        };
        let first = case.said().into_iter().filter(untold).collect();
        Self { first: RefCell::new(Some(first)), ..Self::of(case) }
    }
}

impl Port for Player {
    fn builder(&self) -> Builder {
        self.builder
    }

    async fn image(&self, _reference: &str) -> Result<Option<LocalImage>, EngineError> {
        Ok(Some(LocalImage {
            id: "sha256:base".into(),
            platform: "linux/amd64".into(),
            volumes: Vec::new(),
        }))
    }

    fn pull<'a>(
        &'a self,
        _reference: &'a Reference,
    ) -> BoxStream<'a, Result<PullUpdate, EngineError>> {
        stream::empty().boxed()
    }

    fn build(
        &self,
        _request: BuildRequest,
        _context: ContextStream,
    ) -> BoxStream<'_, Result<BuildUpdate, EngineError>> {
        let first = self.first.take();
        stream::iter(first.unwrap_or_else(|| self.said.clone())).boxed()
    }

    async fn tag(&self, _: &str, _: &str, _: &str) -> Result<(), EngineError> {
        Ok(())
    }

    async fn create(&self, _container: &ContainerSpec) -> Result<Created, EngineError> {
        Ok(Created { id: "container".to_owned(), warnings: Vec::new() })
    }

    async fn start(
        &self,
        _container: &str,
    ) -> Result<BoxStream<'static, Result<Output, EngineError>>, EngineError> {
        let bytes = Bytes::from_static(b"git version 2\n");
        Ok(stream::iter([Ok(Output { stream: Stream::Stdout, bytes })]).boxed())
    }

    async fn ended(&self, _container: &str) -> Result<Ended, EngineError> {
        Ok(Ended { code: 0, oom_killed: false })
    }

    async fn remove_container(&self, _container: &str) -> Result<(), EngineError> {
        Ok(())
    }

    async fn remove_image(&self, _image: &str) -> Result<(), EngineError> {
        Ok(())
    }

    async fn remove_chain(&self, _image: &str) -> Result<(), EngineError> {
        Ok(())
    }

    async fn containers(&self, _label: &str) -> Result<Vec<Labelled>, EngineError> {
        Ok(Vec::new())
    }

    async fn images(&self, _label: &str) -> Result<Vec<Labelled>, EngineError> {
        Ok(Vec::new())
    }
}
