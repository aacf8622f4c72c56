//! An image of the engine, read without running it and without saving it.
//!
//! Where the engine keeps its layers in folders that we may read (overlay2, the same machine, root),
//! those are read: a few milliseconds, and nothing is made. Elsewhere a container is created and
//! never started, its files are asked for one by one, and it is removed.

mod api;
mod container;
mod overlay;

use contract::Platform;
use serde::Deserialize;

use crate::failure::{ReadCode, ReadFailure};
use crate::source::manifest::{RunJson, parse};
use crate::source::{Files, Opened};
use api::Api;

pub(crate) use api::Address;

/// What the engine says of an image.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Image {
    id: String,
    #[serde(default)]
    os: String,
    #[serde(default)]
    architecture: String,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    size: Option<u64>,
    #[serde(default)]
    config: Option<RunJson>,
    #[serde(default)]
    graph_driver: Option<overlay::GraphDriver>,
}

/// Opens an image of the engine; `None` when the engine does not have it.
pub(crate) async fn open(
    address: &Address,
    name: &str,
) -> Result<Option<(String, Opened)>, ReadFailure> {
    let api = Api::new(address.clone());
    let (status, body) = api.call("GET", &format!("/images/{}/json", escaped(name)), None).await?;
    match status {
        200 => {}
        404 => return Ok(None),
        _ => return Err(api::refusal(status, &body)),
    }
    let image: Image = parse(&body, "the engine's words on the image")?;
    let platform = Platform {
        os: image.os,
        architecture: image.architecture,
        variant: image.variant.filter(|variant| !variant.is_empty()),
    };
    let folders = match address {
        Address::Unix(_) => image.graph_driver.as_ref().and_then(overlay::folders),
        Address::Tcp(_) => None,
    };
    let files: Files = match folders {
        Some(folders) => Files::Paths(Box::new(overlay::Overlay::new(folders))),
        None if platform
            == Platform { variant: platform.variant.clone(), ..Platform::default() } =>
        {
            Files::Paths(Box::new(container::Container::create(api, &image.id).await?))
        }
        // Nothing of it will be read.
        None => Files::Paths(Box::new(overlay::Overlay::new(Vec::new()))),
    };
    let config = image.config.unwrap_or_default().lower();
    Ok(Some((image.id, Opened { platform, config, size: image.size, files })))
}

/// A reference as one part of a URL; the engine takes slashes and colons as they are.
fn escaped(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || "-._~/:@".contains(c);
    name.chars().filter(|&c| keep(c)).collect()
}

/// Says that an image is not there.
pub(crate) fn missing(name: &str) -> ReadFailure {
    ReadFailure::new(ReadCode::ImageMissing, format!("the engine has no image {name:?}"))
}
