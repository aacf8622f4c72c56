//! The way out: straight, or through the proxy that `HTTPS_PROXY` and `NO_PROXY` name.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// Connects to a registry. TLS comes on top of it, so that a proxy sees no word of what is said.
#[derive(Clone)]
pub(super) struct WayOut {
    proxies: Arc<Matcher>,
    straight: HttpConnector,
}

impl WayOut {
    pub(super) fn new(proxies: Matcher) -> Self {
        let mut straight = HttpConnector::new();
        // TLS has its own scheme, and a proxy may have either.
        straight.enforce_http(false);
        Self { proxies: Arc::new(proxies), straight }
    }
}

impl Service<Uri> for WayOut {
    type Response = TokioIo<TcpStream>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.straight.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        // Without TLS is spoken to this machine alone: no proxy knows the way.
        let proxy =
            (to.scheme_str() == Some("https")).then(|| self.proxies.intercept(&to)).flatten();
        let Some(proxy) = proxy else {
            let connecting = self.straight.call(to);
            return Box::pin(async { connecting.await.map_err(Into::into) });
        };
        if proxy.uri().scheme_str() != Some("http") {
            let why = format!("a proxy at {} is not spoken to here, only http://", proxy.uri());
            return Box::pin(async { Err(why.into()) });
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), self.straight.clone());
        if let Some(auth) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(auth.clone());
        }
        let connecting = tunnel.call(to);
        let place = proxy.uri().authority().map(ToString::to_string).unwrap_or_default();
        Box::pin(async move {
            connecting.await.map_err(|error| format!("the proxy {place}: {error}").into())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// A proxy that takes one call, answers it, and gives back what it was asked.
    fn proxy(answer: &'static str) -> (String, thread::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let asked = thread::spawn(move || {
            let (mut client, _) = listener.accept().expect("a call");
            let mut asked = Vec::new();
            while !asked.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                client.read_exact(&mut byte).expect("a request");
                asked.push(byte[0]);
            }
            client.write_all(answer.as_bytes()).expect("an answer");
            String::from_utf8(asked).expect("text")
        });
        (address, asked)
    }

    fn go(proxies: Matcher, to: &str) -> Result<(), String> {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let to: Uri = to.parse().expect("an address");
        let connected = runtime.block_on(async { WayOut::new(proxies).call(to).await });
        connected.map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn a_registry_is_reached_through_the_proxy() {
        let (address, asked) = proxy("HTTP/1.1 200 Connection established\r\n\r\n");
        let proxies = Matcher::builder().https(format!("http://me:secret@{address}")).build();
        go(proxies, "https://registry.example.org/v2/").expect("a tunnel");
        let asked = asked.join().expect("a proxy");
        assert!(asked.starts_with("CONNECT registry.example.org:443 HTTP/1.1\r\n"), "{asked}");
        assert!(asked.contains("Basic bWU6c2VjcmV0"), "{asked}");
    }

    #[test]
    fn a_proxy_that_says_no_is_named() {
        let (address, _asked) = proxy("HTTP/1.1 403 Forbidden\r\n\r\n");
        let proxies = Matcher::builder().https(format!("http://me:secret@{address}")).build();
        let error = go(proxies, "https://registry.example.org/v2/").expect_err("a refusal");
        assert!(error.contains(&format!("the proxy {address}:")), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn this_machine_and_what_is_excepted_is_reached_straight() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let nowhere = "http://127.0.0.1:1";
        let all = Matcher::builder().all(nowhere).build();
        go(all, &format!("http://127.0.0.1:{port}/v2/")).expect("a way without a proxy");
        let except = Matcher::builder().all(nowhere).no("127.0.0.1").build();
        go(except, &format!("https://127.0.0.1:{port}/v2/")).expect("a way without a proxy");
    }
}
