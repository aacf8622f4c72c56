//! The calls that reading needs, over the connections to the engine.

use std::time::Duration;

use bytes::Bytes;
use endpoint::Client;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::{Request, Response};

use crate::failure::{ReadCode, ReadFailure};
use crate::limits::MAX_JSON;

/// How long an engine may take to begin its answer.
const ANSWER: Duration = Duration::from_secs(30);

/// An engine. Calls run side by side.
#[derive(Clone)]
pub(super) struct Api {
    client: Client,
}

impl Api {
    pub(super) const fn new(client: Client) -> Self {
        Self { client }
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
            .uri(format!("http://engine{path}"))
            .header("content-type", "application/json")
            .body(Full::<Bytes>::from(body.unwrap_or_default()))
            .map_err(|error| unreachable(&error.to_string()))?;
        let answer = tokio::time::timeout(ANSWER, self.client.request(request));
        let answer = answer.await.map_err(|_| unreachable("it does not answer"))?;
        answer.map_err(|error| unreachable(&endpoint::in_words(&error)))
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
