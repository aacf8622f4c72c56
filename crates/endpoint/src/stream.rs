//! A connection, and the program that carries it, where one does.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper_util::client::legacy::connect::{Connected, Connection};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection to an engine. Dropped, it is closed, and the program that carried it is ended.
pub(crate) struct Stream {
    io: Box<dyn Duplex>,
    carrier: Option<Carrier>,
    /// Whether the other side said anything. Then it is the engine's affair how the connection ends.
    heard: bool,
}

/// Both directions of a connection.
trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A program that carries a connection; it waits for the program's end, and says why it ended.
pub(crate) type Carrier = Pin<Box<dyn Future<Output = String> + Send>>;

impl Stream {
    pub(crate) fn new(io: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        Self { io: Box::new(io), carrier: None, heard: false }
    }

    pub(crate) fn carried(mut self, carrier: Carrier) -> Self {
        self.carrier = Some(carrier);
        self
    }

    /// Where a program ended before the other side said anything, its words are the reason, and not
    /// that nothing came.
    fn explained<T>(
        &mut self,
        context: &mut Context<'_>,
        end: io::Result<T>,
    ) -> Poll<io::Result<T>> {
        let Some(carrier) = self.carrier.as_mut().filter(|_| !self.heard) else {
            return Poll::Ready(end);
        };
        let words = ready!(carrier.as_mut().poll(context));
        self.carrier = None;
        Poll::Ready(Err(io::Error::other(words)))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.io).poll_read(context, buffer));
        if buffer.filled().len() == before && buffer.remaining() > 0 {
            return self.explained(context, read);
        }
        self.heard = true;
        Poll::Ready(read)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match ready!(Pin::new(&mut self.io).poll_write(context, bytes)) {
            Err(error) => self.explained(context, Err(error)),
            written => Poll::Ready(written),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}
