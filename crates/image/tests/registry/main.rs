//! A registry that refuses, stalls, cuts and lies: each ends in its own code, in bounded time.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod server;

use std::time::{Duration, Instant};

use image::{Inspection, Options, Patience, ReadCode, ReadFailure, ReadOwner, ReadRetry};
use serde_json::json;

use server::{Replies, Reply, Server, digest};

const MANIFEST: &str = "/v2/a/b/manifests/1";

/// Short, so that a test waits for what it tests and for nothing else.
fn patience() -> Patience {
    Patience {
        answer: Duration::from_millis(400),
        silence: Duration::from_millis(400),
        pause: Duration::from_millis(5),
        longest_pause: Duration::from_secs(2),
        tries: 3,
    }
}

fn inspect(server: &Server) -> Result<Inspection, ReadFailure> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let options = Options { patience: patience(), ..Options::default() };
    runtime.block_on(image::inspect(&format!("registry:{}/a/b:1", server.address), &options))
}

/// An image of one layer with one file.
struct Image {
    manifest: Vec<u8>,
    config: Vec<u8>,
    layer: Vec<u8>,
}

impl Image {
    fn new() -> Self {
        let mut layer = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(5);
        header.set_mode(0o644);
        layer.append_data(&mut header, "etc/hello", &b"hello"[..]).unwrap();
        let layer = layer.into_inner().unwrap();
        let config = json!({ "os": "linux", "architecture": "amd64" }).to_string().into_bytes();
        let of = |bytes: &[u8]| json!({ "digest": digest(bytes), "size": bytes.len() });
        let manifest = json!({ "config": of(&config), "layers": [of(&layer)] });
        Self { manifest: manifest.to_string().into_bytes(), config, layer }
    }

    fn replies(&self) -> Replies {
        let good = |bytes: &[u8]| vec![Reply::Full(200, Vec::new(), bytes.to_vec())];
        Replies::from([
            (MANIFEST.to_owned(), good(&self.manifest)),
            (blob(&self.config), good(&self.config)),
            (blob(&self.layer), good(&self.layer)),
        ])
    }
}

fn blob(bytes: &[u8]) -> String {
    format!("/v2/a/b/blobs/{}", digest(bytes))
}

fn status(status: u16) -> Reply {
    let body = json!({ "errors": [{ "code": "X", "message": "the registry's words" }] });
    Reply::Full(status, Vec::new(), body.to_string().into_bytes())
}

/// Serves a good image but for what `spoil` makes of it.
fn served(spoil: impl FnOnce(&Image, &mut Replies)) -> Server {
    let image = Image::new();
    let mut replies = image.replies();
    spoil(&image, &mut replies);
    Server::start(move |_| replies)
}

#[test]
fn a_good_image_is_read_and_every_byte_verified() {
    let server = served(|_, _| {});
    let inspection = inspect(&server).unwrap();
    assert_eq!(inspection.reading.layers_read, 1);
    assert!(inspection.reading.not_verified.is_empty());
    assert_eq!(inspection.facts.size, Some(5));
    assert_eq!(server.requests().len(), 3, "{:?}", server.requests());
}

#[test]
fn each_refusal_has_its_code_owner_and_advice() {
    use ReadOwner::{Author, Infrastructure};
    for (reply, code, owner, retry, requests) in [
        (status(401), ReadCode::RegistryAuth, Author, ReadRetry::Never, 1),
        (status(403), ReadCode::PullAccessDenied, Author, ReadRetry::Never, 1),
        (status(404), ReadCode::ManifestUnknown, Author, ReadRetry::Never, 1),
        (status(429), ReadCode::RegistryRateLimit, Infrastructure, ReadRetry::Later, 3),
        (status(500), ReadCode::RegistryError, Infrastructure, ReadRetry::Later, 3),
        (status(503), ReadCode::RegistryError, Infrastructure, ReadRetry::Later, 3),
        (Reply::Silence, ReadCode::RegistrySilent, Infrastructure, ReadRetry::Later, 3),
        (Reply::Cut(b"{".to_vec()), ReadCode::BlobCut, Infrastructure, ReadRetry::Later, 3),
        (
            Reply::Stalled(b"{".to_vec()),
            ReadCode::RegistrySilent,
            Infrastructure,
            ReadRetry::Later,
            3,
        ),
    ] {
        let shown = format!("{reply:?}");
        let server = served(|_, replies| {
            replies.insert(MANIFEST.to_owned(), vec![reply]);
        });
        let started = Instant::now();
        let failure = inspect(&server).unwrap_err();
        assert_eq!(failure.code, code, "{shown}: {failure}");
        assert_eq!((failure.code.owner(), failure.code.retry()), (owner, retry), "{shown}");
        assert_eq!(server.requests().len(), requests, "{shown}");
        assert!(started.elapsed() < Duration::from_secs(5), "{shown}");
    }
}

#[test]
fn a_registry_may_ask_for_a_wait_and_gets_it_when_it_is_short() {
    let limited =
        |seconds: &str| Reply::Full(429, vec![("retry-after", seconds.to_owned())], b"{}".to_vec());
    let server = served(|image, replies| {
        let good = Reply::Full(200, Vec::new(), image.manifest.clone());
        replies.insert(MANIFEST.to_owned(), vec![limited("1"), good]);
    });
    let started = Instant::now();
    assert!(inspect(&server).is_ok());
    assert!(started.elapsed() >= Duration::from_secs(1), "{:?}", started.elapsed());

    let server = served(|_, replies| {
        replies.insert(MANIFEST.to_owned(), vec![limited("3600")]);
    });
    let started = Instant::now();
    let failure = inspect(&server).unwrap_err();
    assert_eq!((failure.code, failure.retry_after_s), (ReadCode::RegistryRateLimit, Some(3600)));
    assert_eq!(server.requests().len(), 1);
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_passing_failure_is_passed_over() {
    for broken in [status(500), Reply::Silence, Reply::Cut(b"x".to_vec())] {
        let server = served(|image, replies| {
            let good = Reply::Full(200, Vec::new(), image.layer.clone());
            replies.insert(blob(&image.layer), vec![broken, good]);
        });
        assert!(inspect(&server).is_ok(), "{:?}", server.requests());
    }
}

#[test]
fn a_layer_that_is_not_what_the_manifest_promises_is_refused() {
    let spoilt = |image: &Image| {
        let mut layer = image.layer.clone();
        layer[512] ^= 1;
        layer
    };
    let server = served(|image, replies| {
        let wrong = Reply::Full(200, Vec::new(), spoilt(image));
        replies.insert(blob(&image.layer), vec![wrong]);
    });
    assert_eq!(inspect(&server).unwrap_err().code, ReadCode::DigestMismatch);

    let server = served(|image, replies| {
        let half = image.layer[..600].to_vec();
        replies.insert(blob(&image.layer), vec![Reply::Full(200, Vec::new(), half)]);
    });
    assert_eq!(inspect(&server).unwrap_err().code, ReadCode::BlobCut);

    let server = served(|image, replies| {
        let headers = vec![("docker-content-digest", format!("sha256:{}", "0".repeat(64)))];
        replies
            .insert(MANIFEST.to_owned(), vec![Reply::Full(200, headers, image.manifest.clone())]);
    });
    assert_eq!(inspect(&server).unwrap_err().code, ReadCode::DigestMismatch);
}

#[test]
fn a_token_is_fetched_and_told_to_nobody_else() {
    let image = Image::new();
    let elsewhere = Server::start(|_| {
        Replies::from([(
            "/kept".to_owned(),
            vec![Reply::Full(200, Vec::new(), image.layer.clone())],
        )])
    });
    let server = Server::start(|address| {
        let challenge = format!("Bearer realm=\"http://{address}/token\",service=\"s\"");
        let refused =
            || Reply::Full(401, vec![("www-authenticate", challenge.clone())], Vec::new());
        let sent_on = vec![("location", format!("http://{}/kept", elsewhere.address))];
        let token = json!({ "token": "T" }).to_string().into_bytes();
        let mut replies = Replies::new();
        for (path, reply) in image.replies() {
            replies.insert(path.clone(), vec![refused()]);
            replies.insert(format!("{path} Bearer T"), reply);
        }
        let layer = format!("{} Bearer T", blob(&image.layer));
        replies.insert(layer, vec![Reply::Full(307, sent_on, Vec::new())]);
        let token_path = "/token?service=s&scope=repository%3Aa%2Fb%3Apull".to_owned();
        replies.insert(token_path, vec![Reply::Full(200, Vec::new(), token)]);
        replies
    });
    inspect(&server).unwrap();
    assert_eq!(elsewhere.requests(), ["/kept"]);
}

#[test]
fn an_index_without_this_platform_is_a_verdict_and_no_failure() {
    let index = json!({ "manifests": [
        { "digest": digest(b""), "platform": { "os": "linux", "architecture": "arm64" } },
        { "digest": digest(b""), "platform": { "os": "unknown", "architecture": "unknown" } },
    ] });
    let server = served(|_, replies| {
        let body = index.to_string().into_bytes();
        replies.insert(MANIFEST.to_owned(), vec![Reply::Full(200, Vec::new(), body)]);
    });
    let inspection = inspect(&server).unwrap();
    assert_eq!(inspection.verdict.level, contract::Level::Predicted);
    assert!(inspection.verdict.is_certain_refusal());
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn nobody_there_is_a_failure_of_the_network() {
    let failure = inspect(&Server::gone()).unwrap_err();
    assert_eq!(failure.code, ReadCode::RegistryNetwork);
    // The cause alone, not what each layer of the client says above it.
    assert!(failure.message.contains(":1: Connection refused"), "{}", failure.message);
}

#[test]
fn a_manifest_without_end_is_refused() {
    let server = served(|_, replies| {
        replies
            .insert(MANIFEST.to_owned(), vec![Reply::Full(200, Vec::new(), vec![b' '; 5 << 20])]);
    });
    assert_eq!(inspect(&server).unwrap_err().code, ReadCode::ImageLimit);
}
