//! TLS in front of an engine's socket, with a certificate authority that nobody else knows.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tempfile::TempDir;
use tokio::net::UnixStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

type Error = Box<dyn std::error::Error>;

/// A certificate authority.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new(name: &str) -> Result<Self, Error> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Ok(Self(CertifiedIssuer::self_signed(params, KeyPair::generate()?)?))
    }

    /// A folder with `ca.pem`, `cert.pem` and `key.pem`, as Docker's client wants them.
    pub(crate) fn folder(&self, client: &Self) -> Result<TempDir, Error> {
        let folder = TempDir::new()?;
        let key = KeyPair::generate()?;
        let certificate =
            CertificateParams::new(vec!["client".to_owned()])?.signed_by(&key, &client.0)?;
        fs::write(folder.path().join("ca.pem"), self.0.pem())?;
        fs::write(folder.path().join("cert.pem"), certificate.pem())?;
        fs::write(folder.path().join("key.pem"), key.serialize_pem())?;
        Ok(folder)
    }

    /// Puts TLS in front of `socket`, as long as the process runs: with a certificate for `name` that
    /// is good until the end of `year`, and for clients of this authority only.
    pub(crate) fn front(&self, socket: &Path, name: &str, year: i32) -> Result<SocketAddr, Error> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(vec![name.to_owned()])?;
        params.not_after = rcgen::date_time_ymd(year, 12, 31);
        let certificate = params.signed_by(&key, &self.0)?;
        let mut clients = RootCertStore::empty();
        clients.add(self.0.der().clone())?;
        let provider = Arc::new(default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(clients.into(), Arc::clone(&provider));
        let key = PrivateKeyDer::try_from(key.serialize_der())?;
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_client_cert_verifier(verifier.build()?)
            .with_single_cert(vec![certificate.der().clone()], key)?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (acceptor, socket) = (TlsAcceptor::from(Arc::new(config)), socket.to_owned());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::spawn(move || runtime.block_on(serve(listener, acceptor, socket)));
        Ok(address)
    }
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, socket: PathBuf) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (call, _) = listener.accept().await?;
        let (acceptor, socket) = (acceptor.clone(), socket.clone());
        tokio::spawn(async move {
            let mut call = acceptor.accept(call).await?;
            let mut engine = UnixStream::connect(socket).await?;
            tokio::io::copy_bidirectional(&mut call, &mut engine).await
        });
    }
}
