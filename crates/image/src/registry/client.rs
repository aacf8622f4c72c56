//! Asks one registry about one repository: challenge, token, redirects, time-outs.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, HeaderMap, LOCATION, USER_AGENT, WWW_AUTHENTICATE};
use hyper::{Method, Request, Response, StatusCode};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioExecutor;
use serde::Deserialize;
use url::Url;

use super::auth::Challenge;
use super::credentials::{self, Credentials, Secret};
use super::proxy::WayOut;
use super::retry::Patience;
use super::status;
use crate::failure::{ReadCode, ReadFailure};
use crate::reference::RegistryName;

type Inner = legacy::Client<HttpsConnector<WayOut>, Full<Bytes>>;

/// Registries send blobs on to where they keep them; this many times, and no more.
const MAX_REDIRECTS: u32 = 5;
/// The body of a refusal that is looked into (64 KiB).
const MAX_REFUSAL: usize = 64 << 10;

/// A client for one repository.
pub(crate) struct Client {
    inner: Inner,
    base: Url,
    registry: String,
    repository: String,
    patience: Patience,
    authorization: Mutex<Option<Secret>>,
}

#[derive(Deserialize)]
struct Token {
    token: Option<String>,
    access_token: Option<String>,
}

impl Client {
    pub(super) fn new(name: &RegistryName, patience: Patience) -> Result<Self, ReadFailure> {
        let broken = |message: String| ReadFailure::new(ReadCode::RegistryNetwork, message);
        let scheme = if name.is_loopback() { "http" } else { "https" };
        let base = Url::parse(&format!("{scheme}://{}/v2/{}/", name.host(), name.repository))
            .map_err(|error| broken(format!("{}: {error}", name.full())))?;
        let tls = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| broken(format!("no certificates can be read: {error}")))?;
        let way_out = WayOut::new(Matcher::from_env());
        let connector = tls.https_or_http().enable_http1().wrap_connector(way_out);
        Ok(Self {
            inner: legacy::Client::builder(TokioExecutor::new()).build(connector),
            base,
            registry: name.registry.clone(),
            repository: name.repository.clone(),
            patience,
            authorization: Mutex::new(None),
        })
    }

    /// A small answer, whole.
    pub(super) async fn small(
        &self,
        path: &str,
        accept: &str,
        limit: u64,
        what: &str,
    ) -> Result<(HeaderMap, Vec<u8>), ReadFailure> {
        let response = self.get(path, accept, what).await?;
        let (head, body) = response.into_parts();
        let bytes = self.collect(body, limit, what).await?;
        Ok((head.headers, bytes))
    }

    /// An answer whose body is still to come.
    pub(super) async fn get(
        &self,
        path: &str,
        accept: &str,
        what: &str,
    ) -> Result<Response<Incoming>, ReadFailure> {
        let url = self.base.join(path).map_err(|error| self.broken(what, &error.to_string()))?;
        let response = self.follow(&url, accept, what).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return self.good(response, what).await;
        }
        let challenges: Vec<String> = response
            .headers()
            .get_all(WWW_AUTHENTICATE)
            .iter()
            .filter_map(|value| value.to_str().ok().map(str::to_owned))
            .collect();
        let Some(challenge) = challenges.iter().find_map(|header| Challenge::parse(header)) else {
            return self.good(response, what).await;
        };
        let Some(answer) = self.answer(challenge, what).await? else {
            return self.good(response, what).await;
        };
        *self.authorization.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        let response = self.follow(&url, accept, what).await?;
        self.good(response, what).await
    }

    /// What answers a challenge; nothing when a password is asked for and there is none.
    async fn answer(
        &self,
        challenge: Challenge,
        what: &str,
    ) -> Result<Option<Secret>, ReadFailure> {
        let known = credentials::of(&self.registry).await;
        let Challenge::Bearer { realm, service, scope } = challenge else {
            return Ok(known.as_ref().and_then(Credentials::basic));
        };
        let scope = scope.unwrap_or_else(|| format!("repository:{}:pull", self.repository));
        let mut url = Url::parse(&realm).map_err(|error| self.broken(what, &error.to_string()))?;
        let local = self.base.scheme() == "http";
        if url.scheme() != "https" && !local {
            let message = format!("{what}: the registry wants its token asked for without TLS");
            return Err(ReadFailure::new(ReadCode::RegistryAnswer, message));
        }
        let service = service.unwrap_or_default();
        let request = match &known {
            Some(Credentials::Identity(token)) => {
                let form = url::form_urlencoded::Serializer::new(String::new())
                    .append_pair("grant_type", "refresh_token")
                    .append_pair("client_id", "drydock")
                    .append_pair("service", &service)
                    .append_pair("scope", &scope)
                    .append_pair("refresh_token", token.reveal())
                    .finish();
                Request::builder()
                    .method(Method::POST)
                    .uri(url.as_str())
                    .header("content-type", "application/x-www-form-urlencoded")
                    .body(Full::from(form))
            }
            other => {
                url.query_pairs_mut().append_pair("service", &service).append_pair("scope", &scope);
                let mut request = Request::builder().uri(url.as_str());
                if let Some(basic) = other.as_ref().and_then(Credentials::basic) {
                    request = request.header(AUTHORIZATION, basic.reveal());
                }
                request.body(Full::default())
            }
        };
        let request = request.map_err(|error| self.broken(what, &error.to_string()))?;
        let response = self.send(request, what).await?;
        let response = self.good(response, "the registry's token").await?;
        let bytes = self.collect(response.into_body(), 1 << 20, "the registry's token").await?;
        let token: Token = serde_json::from_slice(&bytes)
            .map_err(|_| self.broken(what, "the registry's token is none"))?;
        Ok(token.token.or(token.access_token).map(|token| Secret::new(format!("Bearer {token}"))))
    }

    /// Follows redirects. What authorises us at the registry is told nobody else.
    async fn follow(
        &self,
        url: &Url,
        accept: &str,
        what: &str,
    ) -> Result<Response<Incoming>, ReadFailure> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let mut request = Request::builder().uri(url.as_str()).header(ACCEPT, accept);
            if url.origin() == self.base.origin() {
                let known = self.authorization.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(known) = known.as_ref() {
                    request = request.header(AUTHORIZATION, known.reveal());
                }
            }
            let request = request
                .body(Full::default())
                .map_err(|error| self.broken(what, &error.to_string()))?;
            let response = self.send(request, what).await?;
            if !response.status().is_redirection() {
                return Ok(response);
            }
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("");
            let next = url.join(to).map_err(|error| self.broken(what, &error.to_string()))?;
            if url.scheme() == "https" && next.scheme() != "https" {
                return Err(self.broken(what, "the registry sends us on without TLS"));
            }
            url = next;
        }
        Err(self.broken(what, "the registry sends us in circles"))
    }

    async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
        what: &str,
    ) -> Result<Response<Incoming>, ReadFailure> {
        let agent = concat!("drydock/", env!("CARGO_PKG_VERSION"));
        request.headers_mut().insert(USER_AGENT, hyper::header::HeaderValue::from_static(agent));
        let sent = tokio::time::timeout(self.patience.answer, self.inner.request(request));
        match sent.await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => {
                let message = format!("{what}: {}", cause(&error));
                Err(ReadFailure::new(ReadCode::RegistryNetwork, message))
            }
            Err(_) => {
                let limit = self.patience.answer.as_secs_f64();
                let message = format!("{what}: no answer within {limit} s");
                Err(ReadFailure::new(ReadCode::RegistrySilent, message))
            }
        }
    }

    async fn good(
        &self,
        response: Response<Incoming>,
        what: &str,
    ) -> Result<Response<Incoming>, ReadFailure> {
        if response.status().is_success() {
            return Ok(response);
        }
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_REFUSAL).collect();
        let body = match tokio::time::timeout(self.patience.silence, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) | Err(_) => Bytes::new(),
        };
        Err(status::refusal(head.status, &head.headers, &body, what))
    }

    async fn collect(
        &self,
        body: Incoming,
        limit: u64,
        what: &str,
    ) -> Result<Vec<u8>, ReadFailure> {
        let mut body = body;
        let mut bytes = Vec::new();
        while let Some(frame) = next_frame(&mut body, self.patience, what).await? {
            bytes.extend_from_slice(&frame);
            if bytes.len() as u64 > limit {
                let message = format!("{what} is larger than {} MiB", limit >> 20);
                return Err(ReadFailure::new(ReadCode::ImageLimit, message));
            }
        }
        Ok(bytes)
    }

    fn broken(&self, what: &str, why: &str) -> ReadFailure {
        ReadFailure::new(ReadCode::RegistryAnswer, format!("{what}: {why}"))
    }
}

/// The next bytes of a body; `None` at its end.
pub(super) async fn next_frame(
    body: &mut Incoming,
    patience: Patience,
    what: &str,
) -> Result<Option<Bytes>, ReadFailure> {
    loop {
        let frame = match tokio::time::timeout(patience.silence, body.frame()).await {
            Ok(None) => return Ok(None),
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => {
                let message = format!("{what} ends early: {}", cause(&error));
                return Err(ReadFailure::new(ReadCode::BlobCut, message));
            }
            Err(_) => {
                let limit = patience.silence.as_secs_f64();
                let message = format!("{what}: no byte came for {limit} s");
                return Err(ReadFailure::new(ReadCode::RegistrySilent, message));
            }
        };
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
}

/// What an error comes down to: the layers of clients above it say where, which the message says better.
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
