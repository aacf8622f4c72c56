//! How a connection to the engine is opened, whichever kind of address it has.

use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpStream, UnixStream};
use tower_service::Service;

use crate::address::Address;
use crate::candidates::Candidate;
use crate::ssh::Remote;
use crate::stream::Stream;
use crate::tls::Tls;

/// How long an engine may take to answer before the next address is tried.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same where another machine checks a key first, and starts a program.
const PATIENCE_SSH: Duration = Duration::from_secs(20);

/// A way to an engine. Each call of it is a connection.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// A Unix socket.
    Unix(Arc<Path>),
    /// `host:port`.
    Tcp(Arc<str>),
    /// `host:port`, with TLS.
    Tls(Arc<str>, Tls),
    /// The standard input and output of a program on another machine.
    Ssh(Arc<Remote>),
}

impl Candidate {
    /// The way there. What TLS needs is read now, so that what is wrong with it shows at once.
    ///
    /// # Errors
    /// In words, with the way out, when the address cannot be used.
    pub(crate) fn way(&self) -> Result<Way, String> {
        Ok(match (Address::parse(&self.host)?, &self.tls) {
            (Address::Unix(path), _) => Way::Unix(path.into()),
            (Address::Ssh(remote), _) => Way::Ssh(Arc::new(remote)),
            (Address::Tcp(host), None) => Way::Tcp(host.into()),
            (Address::Tcp(host) | Address::Https(host), Some(files)) => {
                Way::Tls(host.as_str().into(), Tls::read(&host, files)?)
            }
            (Address::Https(_), None) => {
                return Err(
                    "TLS needs certificates: set DOCKER_TLS_VERIFY=1, and DOCKER_CERT_PATH \
                     to the folder of ca.pem, cert.pem and key.pem"
                        .to_owned(),
                );
            }
        })
    }
}

impl Way {
    async fn open(self) -> io::Result<Stream> {
        match self {
            Self::Unix(path) => Ok(Stream::new(UnixStream::connect(path).await?)),
            Self::Tcp(host) => Ok(Stream::new(tcp(&host).await?)),
            Self::Tls(host, tls) => Ok(Stream::new(tls.over(tcp(&host).await?).await?)),
            Self::Ssh(remote) => remote.open(),
        }
    }

    pub(crate) const fn is_local(&self) -> bool {
        matches!(self, Self::Unix(_))
    }

    pub(crate) const fn patience(&self) -> Duration {
        match self {
            Self::Unix(_) | Self::Tcp(_) | Self::Tls(..) => PATIENCE,
            Self::Ssh(_) => PATIENCE_SSH,
        }
    }
}

async fn tcp(host: &str) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(host).await?;
    // Questions are small, and each waits for its answer.
    stream.set_nodelay(true)?;
    Ok(stream)
}

impl Service<Uri> for Way {
    type Response = TokioIo<Stream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The engine is where it is, whatever the request's address says.
    fn call(&mut self, _: Uri) -> Self::Future {
        let opening = self.clone().open();
        Box::pin(async { opening.await.map(TokioIo::new) })
    }
}
