//! The engine's HTTP, over a Unix socket or plain TCP: the five calls that reading needs.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpStream, UnixStream};

use crate::failure::{ReadCode, ReadFailure};
use crate::limits::MAX_JSON;

/// How long an engine may take to begin its answer.
const ANSWER: Duration = Duration::from_secs(30);
/// How long an engine may take to take the call.
const CONNECT: Duration = Duration::from_secs(5);

/// Where an engine listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A Unix socket.
    Unix(PathBuf),
    /// `host:port`, without TLS.
    Tcp(String),
}

impl Address {
    /// Reads `unix://…`, `tcp://…` or a path.
    pub(crate) fn parse(text: &str) -> Result<Self, ReadFailure> {
        if let Some(path) = text.strip_prefix("unix://").or(text.starts_with('/').then_some(text)) {
            return Ok(Self::Unix(path.into()));
        }
        match text.strip_prefix("tcp://").or_else(|| text.strip_prefix("http://")) {
            Some(host) => Ok(Self::Tcp(host.trim_end_matches('/').to_owned())),
            None => Err(ReadFailure::new(
                ReadCode::EngineUnreachable,
                format!("{text:?} is no address of an engine that is spoken to here"),
            )),
        }
    }
}

type Sender = SendRequest<Full<Bytes>>;

/// An engine. Calls run side by side, each on a connection of its own; one whose answer has been read
/// serves the next call.
#[derive(Clone)]
pub(super) struct Api {
    address: Address,
    open: Arc<Mutex<Vec<Sender>>>,
}

impl Api {
    pub(super) fn new(address: Address) -> Self {
        Self { address, open: Arc::default() }
    }

    /// A call whose answer is small.
    pub(super) async fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<String>,
    ) -> Result<(u16, Vec<u8>), ReadFailure> {
        let response = self.start(method, path, body).await?;
        let status = response.status().as_u16();
        match up_to(MAX_JSON, response).await? {
            Some(bytes) => Ok((status, bytes)),
            None => {
                let message = "the engine's answer is without end".to_owned();
                Err(ReadFailure::new(ReadCode::EngineAnswer, message))
            }
        }
    }

    /// A call whose answer is still to come.
    pub(super) async fn start(
        &self,
        method: &str,
        path: &str,
        body: Option<String>,
    ) -> Result<Response<Incoming>, ReadFailure> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "engine")
            .header("content-type", "application/json")
            .body(Full::<Bytes>::from(body.unwrap_or_default()))
            .map_err(|error| unreachable(&error.to_string()))?;
        // An engine may hang up on an open connection as the call leaves: then a new one takes it, if
        // the call may be made twice.
        if method != "POST"
            && let Some(sender) = self.idle()
            && let Ok(response) = self.send(sender, request.clone()).await?
        {
            return Ok(response);
        }
        let sender = tokio::time::timeout(CONNECT, self.connect())
            .await
            .map_err(|_| unreachable("it does not take calls"))??;
        self.send(sender, request).await?.map_err(|error| unreachable(&error.to_string()))
    }

    async fn send(
        &self,
        mut sender: Sender,
        request: Request<Full<Bytes>>,
    ) -> Result<hyper::Result<Response<Incoming>>, ReadFailure> {
        let answer = tokio::time::timeout(ANSWER, sender.send_request(request));
        let answer = answer.await.map_err(|_| unreachable("it does not answer"))?;
        if answer.is_ok() {
            self.lock().push(sender);
        }
        Ok(answer)
    }

    /// A connection whose last answer has come to its end.
    fn idle(&self) -> Option<Sender> {
        let mut open = self.lock();
        open.retain(|sender| !sender.is_closed());
        let at = open.iter().position(SendRequest::is_ready)?;
        Some(open.swap_remove(at))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Sender>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn connect(&self) -> Result<Sender, ReadFailure> {
        let lost = |error: std::io::Error| unreachable(&error.to_string());
        let broken = |error: hyper::Error| unreachable(&error.to_string());
        match &self.address {
            Address::Unix(path) => {
                let stream = UnixStream::connect(path).await.map_err(lost)?;
                let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(broken)?;
                tokio::spawn(connection);
                Ok(sender)
            }
            Address::Tcp(host) => {
                let stream = TcpStream::connect(host).await.map_err(lost)?;
                let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(broken)?;
                tokio::spawn(connection);
                Ok(sender)
            }
        }
    }
}

/// A whole answer; `None` when it is longer than that, and the rest of it is not waited for.
pub(super) async fn up_to(
    limit: u64,
    response: Response<Incoming>,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Some(frame) = frame(&mut body).await? {
        bytes.extend_from_slice(&frame);
        if bytes.len() as u64 > limit {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}

/// The next bytes of an answer.
async fn frame(body: &mut Incoming) -> Result<Option<Bytes>, ReadFailure> {
    loop {
        let frame = tokio::time::timeout(ANSWER, body.frame());
        match frame.await.map_err(|_| unreachable("it stopped in the middle of an answer"))? {
            None => return Ok(None),
            Some(Err(error)) => return Err(unreachable(&error.to_string())),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

fn unreachable(why: &str) -> ReadFailure {
    ReadFailure::new(ReadCode::EngineUnreachable, format!("the engine cannot be reached: {why}"))
}

/// What the engine says when it says no.
pub(super) fn refusal(status: u16, body: &[u8]) -> ReadFailure {
    let words = serde_json::from_slice::<serde_json::Value>(body).ok();
    let words = words.as_ref().and_then(|words| words.get("message")?.as_str()).unwrap_or("");
    ReadFailure::new(ReadCode::EngineAnswer, format!("the engine answers {status}: {words}"))
}
