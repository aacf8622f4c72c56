//! Docker's stored contexts: names for engines, kept in files by Docker's client.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The files of one client certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TlsFiles {
    /// The certificate authority.
    pub(crate) ca: PathBuf,
    /// Our certificate.
    pub(crate) cert: PathBuf,
    /// Its key.
    pub(crate) key: PathBuf,
}

impl TlsFiles {
    /// The three files under their usual names.
    pub(crate) fn of_folder(folder: &Path) -> Self {
        let file = |name: &str| folder.join(name);
        Self { ca: file("ca.pem"), cert: file("cert.pem"), key: file("key.pem") }
    }
}

/// The folder of Docker's client.
pub(crate) struct ContextStore {
    folder: PathBuf,
}

#[derive(Deserialize)]
struct Config {
    #[serde(rename = "currentContext")]
    current: Option<String>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "Endpoints", default)]
    endpoints: std::collections::BTreeMap<String, Endpoint>,
}

#[derive(Deserialize)]
struct Endpoint {
    #[serde(rename = "Host")]
    host: Option<String>,
}

impl ContextStore {
    /// `folder` holds `config.json` and `contexts/`.
    pub(crate) const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The current context's name, where one is chosen.
    pub(crate) fn current(&self) -> Option<String> {
        let text = std::fs::read(self.folder.join("config.json")).ok()?;
        let config: Config = serde_json::from_slice(&text).ok()?;
        config.current.filter(|name| !name.is_empty())
    }

    /// A context's address and TLS material.
    pub(crate) fn endpoint(&self, name: &str) -> Result<(String, Option<TlsFiles>), String> {
        // The store names its folders by the SHA-256 of the context's name.
        let digest: String =
            Sha256::digest(name.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let path = self.folder.join("contexts/meta").join(&digest).join("meta.json");
        let text =
            std::fs::read(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
        let meta: Meta =
            serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let host = meta
            .endpoints
            .get("docker")
            .and_then(|endpoint| endpoint.host.clone())
            .filter(|host| !host.is_empty())
            .ok_or_else(|| "the context names no docker endpoint".to_owned())?;
        let tls = self.folder.join("contexts/tls").join(&digest).join("docker");
        Ok((host, tls.is_dir().then(|| TlsFiles::of_folder(&tls))))
    }
}
