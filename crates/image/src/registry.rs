//! An image in a registry, over the distribution protocol.

mod auth;
mod client;
mod credentials;
mod layers;
mod proxy;
mod retry;
mod status;

use std::sync::Arc;

use hyper::header::HeaderMap;
use sha2::{Digest as _, Sha256};

use crate::blob;
use crate::failure::{ReadCode, ReadFailure};
use crate::limits::MAX_JSON;
use crate::reference::RegistryName;
use crate::source::manifest::{Choice, ConfigJson, Descriptor, Document};
use crate::source::{Files, Opened, layer_ref, other_platform};
use client::Client;
use layers::Remote;

pub use retry::Patience;

/// What may answer for a tag.
const MANIFESTS: &str = "application/vnd.oci.image.index.v1+json, \
    application/vnd.oci.image.manifest.v1+json, \
    application/vnd.docker.distribution.manifest.list.v2+json, \
    application/vnd.docker.distribution.manifest.v2+json";
/// An index may name an index; this deep, and no deeper.
const MAX_INDEXES: u32 = 4;

/// Opens an image; its layers are fetched only when they are read. Gives the manifest's digest, too.
pub(crate) async fn open(
    name: &RegistryName,
    patience: Patience,
) -> Result<(String, Opened), ReadFailure> {
    let client = Arc::new(Client::new(name, patience)?);
    let mut version = name.version.clone();
    let mut first = None;
    for _ in 0..MAX_INDEXES {
        let (digest, bytes) = retry::times(patience, || manifest(&client, name, &version)).await?;
        let first = first.get_or_insert(digest).clone();
        let document = Document::parse(&bytes, &name.full())?;
        let Some(config) = &document.config else {
            match document.choose() {
                Some(Choice::Manifest(chosen)) => {
                    chosen.sha256()?;
                    version.clone_from(&chosen.digest);
                }
                Some(Choice::OtherPlatform(platform)) => {
                    return Ok((first, other_platform(platform)));
                }
                None => break,
            }
            continue;
        };
        let bytes = retry::times(patience, || small_blob(&client, config)).await?;
        let (platform, config) = ConfigJson::parse(&bytes, &config.digest)?.lower();
        for layer in &document.layers {
            layer.sha256()?;
        }
        let layers = document.layers.iter().map(layer_ref).collect();
        let remote = Remote::new(client, layers, patience);
        let files = Files::Layers(Box::new(remote));
        return Ok((first, Opened { platform, config, size: None, files }));
    }
    let message = format!("{} leads to no image", name.full());
    Err(ReadFailure::new(ReadCode::NoMatchingManifest, message))
}

/// A manifest or index, compared with whatever states its digest.
async fn manifest(
    client: &Client,
    name: &RegistryName,
    version: &str,
) -> Result<(String, Vec<u8>), ReadFailure> {
    let what = format!("the manifest of {}", name.full());
    let (headers, bytes) =
        client.small(&format!("manifests/{version}"), MANIFESTS, MAX_JSON, &what).await?;
    let found = format!("sha256:{}", blob::hex(&Sha256::digest(&bytes)));
    let stated = if version.starts_with("sha256:") {
        Some(version.to_owned())
    } else {
        text(&headers, "docker-content-digest").filter(|digest| digest.starts_with("sha256:"))
    };
    if stated.as_ref().is_some_and(|stated| *stated != found) {
        let message = format!("{what} should be {} and is {found}", stated.unwrap_or_default());
        return Err(ReadFailure::new(ReadCode::DigestMismatch, message));
    }
    Ok((found, bytes))
}

async fn small_blob(client: &Client, blob: &Descriptor) -> Result<Vec<u8>, ReadFailure> {
    let digest = format!("sha256:{}", blob.sha256()?);
    let (_, bytes) =
        client.small(&format!("blobs/{digest}"), "*/*", MAX_JSON, "the config").await?;
    blob::check(&digest, &Sha256::digest(&bytes), "the config")
        .map_err(|error| ReadFailure::new(ReadCode::DigestMismatch, error.to_string()))?;
    Ok(bytes)
}

/// A header as text.
fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}
