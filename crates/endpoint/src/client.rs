//! HTTP to one engine: one pool of connections, whoever asks.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_util::client::legacy;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::way::Way;

/// A connection that nobody used for so long is closed. Engines close none by themselves, but what
/// lies between may.
const IDLE: Duration = Duration::from_secs(20);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The body of a request.
pub type Body = UnsyncBoxBody<Bytes, BoxError>;

/// The way to one engine. Clones share its connections: each call takes one that is free, or opens
/// another.
#[derive(Clone, Debug)]
pub struct Client {
    way: Arc<Way>,
    inner: legacy::Client<Way, Body>,
}

impl Client {
    pub(crate) fn new(way: Way) -> Self {
        let inner = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(way.clone());
        Self { way: Arc::new(way), inner }
    }

    /// Sends a request, whose address is a path behind any host name.
    ///
    /// # Errors
    /// When no connection can be opened, or it breaks before the answer begins; [`crate::in_words`]
    /// says why.
    pub async fn request<B>(&self, request: Request<B>) -> Result<Response<Incoming>, legacy::Error>
    where
        B: hyper::body::Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        self.inner.request(request.map(|body| body.map_err(Into::into).boxed_unsync())).await
    }

    /// Opens connections ahead for whoever is about to need several at once, where that takes its time.
    pub fn open_ahead(&self, count: usize) {
        if !self.is_local() {
            for _ in 0..count {
                let client = self.clone();
                tokio::spawn(async move { drop(client.ping().await) });
            }
        }
    }

    /// Whether the engine's own files may be files of this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.way.is_local()
    }

    /// How long the engine may take to answer the first call.
    pub(crate) fn patience(&self) -> Duration {
        self.way.patience()
    }
}
