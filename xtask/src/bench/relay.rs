//! Stands between a client and a server, passes every byte on, and counts those that the server sends.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::Result;

/// Where the bytes go.
#[derive(Clone, Debug)]
pub(crate) enum Server {
    /// A port of this machine.
    Loopback(u16),
    /// A Unix socket.
    Socket(PathBuf),
}

/// A relay on a loopback port. It runs until the chore ends.
pub(crate) struct Relay {
    port: u16,
    sent: Arc<AtomicU64>,
}

impl Relay {
    /// Starts it.
    pub(crate) fn start(server: Server) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let sent = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&sent);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (server, counter) = (server.clone(), Arc::clone(&counter));
                // A client that hangs up in the middle of an answer is what is measured, not a fault.
                thread::spawn(move || drop(pass(&client, &server, &counter)));
            }
        });
        Ok(Self { port, sent })
    }

    /// `127.0.0.1:port`.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Bytes that the server sent since this was last asked, headers among them.
    pub(crate) fn taken(&self) -> u64 {
        self.sent.swap(0, Ordering::Relaxed)
    }
}

fn pass(client: &TcpStream, server: &Server, counter: &AtomicU64) -> io::Result<()> {
    match server {
        Server::Loopback(port) => {
            let server = TcpStream::connect((Ipv4Addr::LOCALHOST, *port))?;
            let end = || server.shutdown(Shutdown::Both);
            both((client, client), (&server, &server), counter, || drop(end()));
        }
        Server::Socket(path) => {
            let server = UnixStream::connect(path)?;
            let end = || server.shutdown(Shutdown::Both);
            both((client, client), (&server, &server), counter, || drop(end()));
        }
    }
    drop(client.shutdown(Shutdown::Both));
    Ok(())
}

/// Passes both ways until either side is done.
fn both(
    (mut from_client, to_client): (&TcpStream, &TcpStream),
    (from_server, mut to_server): (impl Read + Send, impl Write),
    counter: &AtomicU64,
    end: impl Fn(),
) {
    thread::scope(|scope| {
        scope.spawn(|| {
            let answers = Counted { inner: to_client, counter };
            copy(from_server, answers);
            drop(to_client.shutdown(Shutdown::Both));
        });
        copy(&mut from_client, &mut to_server);
        end();
    });
}

fn copy(mut from: impl Read, mut to: impl Write) {
    // Whoever hangs up first ends it.
    drop(io::copy(&mut from, &mut to));
}

struct Counted<'a> {
    inner: &'a TcpStream,
    counter: &'a AtomicU64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
