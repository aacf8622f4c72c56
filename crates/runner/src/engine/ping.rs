//! `GET /_ping`, by hand: its answer's *headers* say what the engine is, and bollard keeps only the body.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};

use super::address::Address;

/// How long an engine may take to answer before the next address is tried.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the headers say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ping {
    /// `Api-Version`.
    pub(crate) api: Option<String>,
    /// `Builder-Version`: which builder the engine prefers; 20.10 leaves it out.
    pub(crate) builder: Option<String>,
    /// Whether `Libpod-Api-Version` is there.
    pub(crate) podman: bool,
}

/// Asks an engine without TLS.
pub(crate) async fn ping(address: &Address) -> Result<Ping, String> {
    let asked = async {
        match address {
            Address::Unix(path) => ask(UnixStream::connect(path).await?).await,
            Address::Tcp(host) => ask(TcpStream::connect(host).await?).await,
        }
    };
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(head)) => read(&head),
        Ok(Err(error)) => Err(in_words(&error)),
        Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}

fn in_words(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such socket".to_owned(),
        ErrorKind::PermissionDenied => {
            "permission denied; is this user in the socket's group?".to_owned()
        }
        ErrorKind::ConnectionRefused => "nothing listens there".to_owned(),
        _ => error.to_string(),
    }
}

async fn ask(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> std::io::Result<String> {
    stream.write_all(b"GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n").await?;
    let mut head = Vec::new();
    // An answer is a few hundred bytes; what is longer is no engine's.
    stream.take(16 * 1024).read_to_end(&mut head).await?;
    Ok(String::from_utf8_lossy(&head).into_owned())
}

fn read(head: &str) -> Result<Ping, String> {
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    if !status.starts_with("HTTP/1.") {
        return Err("what listens there does not speak HTTP".to_owned());
    }
    if status.split(' ').nth(1) != Some("200") {
        return Err(format!("it answered `{status}`"));
    }
    let mut ping = Ping::default();
    for line in lines.take_while(|line| !line.is_empty()) {
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim().to_owned();
        match name.to_ascii_lowercase().as_str() {
            "api-version" => ping.api = Some(value),
            "builder-version" => ping.builder = Some(value),
            "libpod-api-version" => ping.podman = true,
            _ => {}
        }
    }
    if ping.api.is_none() {
        return Err("what listens there is no container engine".to_owned());
    }
    Ok(ping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_what_the_engine_is() {
        let docker = "HTTP/1.0 200 OK\r\nApi-Version: 1.51\r\nBuilder-Version: 2\r\n\r\nOK";
        let expected = Ping { api: Some("1.51".into()), builder: Some("2".into()), podman: false };
        assert_eq!(read(docker), Ok(expected));
        let podman = "HTTP/1.0 200 OK\r\napi-version: 1.41\r\nLibpod-API-Version: 4.3.1\r\n\r\nOK";
        assert_eq!(
            read(podman),
            Ok(Ping { api: Some("1.41".into()), builder: None, podman: true })
        );
        for (head, part) in [
            ("SSH-2.0-OpenSSH", "does not speak HTTP"),
            ("HTTP/1.1 200 OK\r\n\r\nhello", "no container engine"),
            ("HTTP/1.1 400 Bad Request\r\n\r\nClient sent HTTP to HTTPS", "400 Bad Request"),
        ] {
            assert!(read(head).is_err_and(|e| e.contains(part)), "{head}");
        }
    }
}
