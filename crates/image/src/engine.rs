//! An image of the engine, read without running it and without saving it.
//!
//! Where the engine keeps its layers in folders that we may read (overlay2, the same machine, root),
//! those are read: a few milliseconds, and nothing is made. Elsewhere containers are created and
//! never started, files are asked for, and the containers are removed.

mod api;
mod container;
mod files;
mod overlay;
mod stat;

use std::collections::BTreeMap;
use std::path::Path;

use contract::Platform;
use endpoint::Client;
use serde::Deserialize;

use crate::failure::{ReadCode, ReadFailure};
use crate::kept::Kept;
use crate::limits::MAX_JSON;
use crate::reading::{self, Depth};
use crate::source::manifest::{RunJson, parse};
use crate::source::{Files, Opened};
use api::Api;

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

/// Opens an image of the engine; `None` when the engine does not have it. Gives the image's id, too,
/// and the place to keep what will be read of it, where that pays.
pub(crate) async fn open(
    client: Client,
    name: &str,
    folder: Option<&Path>,
    depth: Depth,
) -> Result<Option<(String, Opened, Option<Kept>)>, ReadFailure> {
    let is_local = client.is_local();
    let api = Api::new(client);
    let response = api.start("GET", &format!("/images/{}/json", escaped(name)), None).await?;
    let status = response.status().as_u16();
    let server = response.headers().get("server").and_then(|server| server.to_str().ok());
    let containers = containers_for(server.unwrap_or(""));
    let body = api::up_to(MAX_JSON, response).await?.unwrap_or_default();
    match status {
        200 => {}
        404 => return Ok(None),
        _ => return Err(api::refusal(status, &body)),
    }
    let image: Image = parse(&body, "the engine's words on the image")?;
    let variant = image.variant.filter(|variant| !variant.is_empty());
    let platform = Platform { os: image.os, architecture: image.architecture, variant };
    let config = image.config.unwrap_or_default().lower();
    // Another machine's folders may have namesakes here.
    let driver = image.graph_driver.as_ref().filter(|_| is_local);
    let folders = driver.and_then(overlay::folders);
    let mut kept = None;
    let files = if let Some(folders) = folders {
        Files::Paths(Box::new(overlay::Overlay::new(folders)))
    } else if platform != (Platform { variant: platform.variant.clone(), ..Platform::default() }) {
        // Nothing of it will be read.
        Files::Known(BTreeMap::new())
    } else {
        kept = folder.and_then(|folder| Kept::of(folder, &image.id));
        let known = kept.as_ref().and_then(Kept::load);
        match known.filter(|files| reading::suffices(files, (&platform, &config), depth)) {
            Some(files) => {
                kept = None;
                Files::Known(files)
            }
            None => {
                let containers = container::Containers::create(api, &image.id, containers).await?;
                Files::Paths(Box::new(files::ApiFiles::new(containers)))
            }
        }
    };
    Ok(Some((image.id, Opened { platform, config, size: image.size, files }, kept)))
}

/// How many containers pay. Up to 22, Docker's engine starts itself anew for every file that it hands
/// out (45 ms), one after another for one container; later ones do not, and for them one will do.
fn containers_for(server: &str) -> usize {
    let version = server.strip_prefix("Docker/").and_then(|rest| rest.split('.').next());
    match version.and_then(|major| major.parse::<u32>().ok()) {
        Some(major) if major < 23 => 3,
        Some(_) | None => 1,
    }
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
