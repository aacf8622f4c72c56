//! One HTTP request, over a Unix socket or a loopback port.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

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

fn get(mut stream: impl Read + Write, path: &str) -> Result<u16> {
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
    // "HTTP/1.0 200": the status is all that is asked for, and the body may be long.
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    head[9..].parse().with_context(|| format!("no HTTP status in {head:?}"))
}
