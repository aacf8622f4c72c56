//! One HTTP request, over a Unix socket or a loopback port.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// The status of `GET path` on a Unix socket.
pub(crate) fn get_unix(socket: &Path, path: &str, limit: Duration) -> Result<u16> {
    let stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(limit))?;
    get(stream, path)
}

/// The status of `GET path` on a loopback port.
pub(crate) fn get_loopback(port: u16, path: &str, limit: Duration) -> Result<u16> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(limit))?;
    get(stream, path)
}

/// The body of `GET path` on a loopback port.
pub(crate) fn body_from_loopback(port: u16, path: &str, accept: &str) -> Result<Vec<u8>> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").context("no HTTP answer")?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let ok = head.split_whitespace().nth(1) == Some("200");
    ensure!(ok, "{path}: {}", head.lines().next().unwrap_or(""));
    Ok(answer.split_off(end + 4))
}

fn get(mut stream: impl Read + Write, path: &str) -> Result<u16> {
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
    // "HTTP/1.0 200": the status is all that is asked for, and the body may be long.
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    head[9..].parse().with_context(|| format!("no HTTP status in {head:?}"))
}
