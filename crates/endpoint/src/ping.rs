//! `GET /_ping`: whether an engine answers, and what its answer's *headers* say it is.

use http_body_util::{BodyExt as _, Collected, Empty, Limited};
use hyper::body::Bytes;
use hyper::{Request, Response, StatusCode};

use crate::{Client, in_words};

/// An answer is two bytes, a refusal a line (4 KiB).
const MAX_BODY: usize = 4 << 10;

/// What the headers say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ping {
    /// `Api-Version`.
    pub api: Option<String>,
    /// `Builder-Version`: which builder the engine prefers; 20.10 leaves it out.
    pub builder: Option<String>,
    /// Whether `Libpod-Api-Version` is there.
    pub podman: bool,
}

impl Client {
    /// Asks the engine what it is.
    pub(crate) async fn ping(&self) -> Result<Ping, String> {
        let patience = self.patience();
        let asked = async {
            let request = Request::get("http://engine/_ping").body(Empty::<Bytes>::new());
            let request = request.map_err(|error| error.to_string())?;
            let answer = self.request(request).await.map_err(|error| in_words(&error))?;
            let (head, body) = answer.into_parts();
            // Read to its end, so that the connection serves the next call.
            let body = Limited::new(body, MAX_BODY).collect().await;
            let body = body.map(Collected::to_bytes).unwrap_or_default();
            read(&Response::from_parts(head, body))
        };
        tokio::time::timeout(patience, asked)
            .await
            .unwrap_or_else(|_| Err(format!("no answer within {} s", patience.as_secs())))
    }
}

fn read(answer: &Response<Bytes>) -> Result<Ping, String> {
    if answer.status() != StatusCode::OK {
        let said = String::from_utf8_lossy(answer.body());
        return Err(if said.contains("HTTPS server") {
            "it speaks TLS: set DOCKER_TLS_VERIFY=1, and DOCKER_CERT_PATH to the folder of its \
             certificates"
                .to_owned()
        } else {
            format!("it answered `{}`", answer.status())
        });
    }
    let header = |name| {
        let value = answer.headers().get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let ping = Ping {
        api: header("api-version"),
        builder: header("builder-version"),
        podman: header("libpod-api-version").is_some(),
    };
    if ping.api.is_none() {
        return Err("what listens there is no container engine".to_owned());
    }
    Ok(ping)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;
    use crate::way::Way;

    /// What is said of a listener that answers each call with `answer`.
    fn said_of(answer: &'static str) -> Result<Ping, String> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        std::thread::spawn(move || {
            for mut call in listener.incoming().flatten() {
                drop(call.read(&mut [0; 1024]));
                drop(call.write_all(answer.as_bytes()));
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(Client::new(Way::Tcp(address.into())).ping())
    }

    #[test]
    fn headers_say_what_the_engine_is() {
        let docker = "HTTP/1.1 200 OK\r\nApi-Version: 1.51\r\nBuilder-Version: 2\r\nContent-Length: 2\r\n\r\nOK";
        let expected = Ping { api: Some("1.51".into()), builder: Some("2".into()), podman: false };
        assert_eq!(said_of(docker), Ok(expected));
        let podman = "HTTP/1.1 200 OK\r\napi-version: 1.41\r\nLibpod-API-Version: 4.3.1\r\nContent-Length: 2\r\n\r\nOK";
        let expected = Ping { api: Some("1.41".into()), builder: None, podman: true };
        assert_eq!(said_of(podman), Ok(expected));
        for (answer, part) in [
            ("SSH-2.0-OpenSSH\r\n", "does not speak HTTP"),
            ("", "hung up without an answer"),
            ("HTTP/1.1 200 OK\r\n\r\nhello", "no container engine"),
            ("HTTP/1.0 400 Bad Request\r\n\r\nnothing", "400 Bad Request"),
            (
                "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n",
                "DOCKER_CERT_PATH",
            ),
        ] {
            let said = said_of(answer);
            assert!(said.clone().is_err_and(|error| error.contains(part)), "{answer}: {said:?}");
        }
    }
}
