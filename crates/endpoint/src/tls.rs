//! TLS with an engine: whom we trust, who we are, and what the other side dislikes, in words.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, Error, InvalidMessage, RootCertStore, crypto,
};
use tokio_rustls::{TlsConnector, rustls};

use crate::context_store::TlsFiles;

/// What TLS needs to know.
#[derive(Clone)]
pub(crate) struct Tls {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl fmt::Debug for Tls {
    /// A key is in there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tls({:?})", self.name)
    }
}

impl Tls {
    /// Reads certificates and key, for the engine at `host` (`name:port`).
    ///
    /// # Errors
    /// In words, with the way out, when one of them cannot be used.
    pub(crate) fn read(host: &str, files: &TlsFiles) -> Result<Self, String> {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let name = ServerName::try_from(name.trim_matches(['[', ']']).to_owned())
            .map_err(|_| format!("{name:?} cannot be in a certificate; use a host name"))?;
        // The engine's own authority, and no other: that is whom its administrator vouches for.
        let mut roots = RootCertStore::empty();
        for certificate in certificates(&files.ca)? {
            roots.add(certificate).map_err(|error| format!("{}: {error}", files.ca.display()))?;
        }
        let provider = Arc::new(crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots);
        let config = if files.cert.exists() || files.key.exists() {
            let key = PrivateKeyDer::from_pem_file(&files.key)
                .map_err(|error| unread(&files.key, &error))?;
            config
                .with_client_auth_cert(certificates(&files.cert)?, key)
                .map_err(|error| format!("{}: {error}", files.cert.display()))?
        } else {
            config.with_no_client_auth()
        };
        Ok(Self { connector: TlsConnector::from(Arc::new(config)), name })
    }

    pub(crate) async fn over(self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.connector.connect(self.name, stream).await
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let all = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match all.map_err(|error| unread(path, &error))? {
        none if none.is_empty() => Err(format!("{} holds no certificate", path.display())),
        some => Ok(some),
    }
}

fn unread(path: &Path, error: &pem::Error) -> String {
    let why = match error {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => "it holds no key".to_owned(),
        _ => "it is no PEM file".to_owned(),
    };
    format!(
        "{} cannot be read: {why}; DOCKER_CERT_PATH names the folder of ca.pem, cert.pem and key.pem",
        path.display()
    )
}

/// What an error of TLS means, and the way out.
pub(crate) fn in_words(error: &Error) -> String {
    use CertificateError::{
        BadSignature, Expired, ExpiredContext, NotValidForName, NotValidForNameContext,
        NotValidYet, NotValidYetContext, UnknownIssuer,
    };
    match error {
        Error::InvalidCertificate(Expired | ExpiredContext { .. }) => {
            "the engine's certificate has expired; it needs a new one (is the clock right?)"
                .to_owned()
        }
        Error::InvalidCertificate(NotValidYet | NotValidYetContext { .. }) => {
            "the engine's certificate is not valid yet; is the clock right?".to_owned()
        }
        Error::InvalidCertificate(NotValidForNameContext { presented, .. }) => format!(
            "the engine's certificate is for another name ({}); use that name in the address",
            presented.join(", ")
        ),
        Error::InvalidCertificate(NotValidForName) => {
            "the engine's certificate is for another name; use that name in the address".to_owned()
        }
        // A new authority often has the old one's name.
        Error::InvalidCertificate(UnknownIssuer | BadSignature) => {
            "the engine's certificate is of another authority than ca.pem; get its own ca.pem"
                .to_owned()
        }
        Error::AlertReceived(alert) => format!(
            "the engine does not accept our certificate ({alert:?}); it wants a cert.pem and key.pem \
             of its own authority that have not expired"
        ),
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "what listens there does not speak TLS; leave DOCKER_TLS_VERIFY away".to_owned()
        }
        other => format!("TLS: {other}"),
    }
}

/// The error of TLS in an error of reading or writing.
pub(crate) fn within(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}
