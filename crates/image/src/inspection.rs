//! The one call: a reference to a verdict.

use std::path::{Path, PathBuf};

use contract::{ContractVerdict, Forecast, ImageFacts};
use endpoint::{Client, Search};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine;
use crate::failure::{ReadCode, ReadFailure};
use crate::kept::Kept;
use crate::reading::{self, Depth, Reading};
use crate::reference::{Layout, Reference, RegistryName};
use crate::registry::{self, Patience};
use crate::source::{self, Opened};

/// How an image is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How much of it.
    pub depth: Depth,
    /// Where it may be.
    pub places: Places,
    /// The engine that is asked.
    pub engine: Engine,
    /// A folder where the verdict's facts of an engine's images are kept between runs, if they may
    /// be. Only those that could not be read from its layers at once.
    pub kept: Option<PathBuf>,
    /// How long is waited for a registry.
    pub patience: Patience,
}

/// The engine that is asked.
#[derive(Clone, Debug)]
pub enum Engine {
    /// The one that is found, as soon as one is needed.
    ToFind(Search),
    /// The one that was found.
    Found(Client),
}

impl Engine {
    /// Whether whoever asks gave its address.
    const fn is_named(&self) -> bool {
        matches!(self, Self::ToFind(Search { host: Some(_), .. }))
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::ToFind(Search::default())
    }
}

/// Where an image may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Places {
    /// On disk, on the engine, in a registry: as the reference says.
    #[default]
    Anywhere,
    /// On the engine, else in a registry. A reference that somebody else wrote never means a file.
    EngineOrRegistry,
}

/// What was found out about an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inspection {
    /// Where it was read.
    pub origin: Origin,
    /// What the probe would say.
    pub verdict: ContractVerdict,
    /// What the platform would meet behind the probe.
    pub forecast: Forecast,
    /// What both were made from.
    pub facts: ImageFacts,
    /// What reading cost and left out.
    pub reading: Reading,
}

/// Where an image was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// `registry`, `engine`, `oci-layout`, `archive` or `folder`.
    pub kind: String,
    /// Its name there.
    pub name: String,
    /// The digest of its manifest, or its id on the engine.
    pub digest: Option<String>,
}

/// Reads an image and judges it. Nothing of it is run.
///
/// # Errors
/// When the image cannot be found, fetched or read; the failure says whose fault it is and whether
/// trying again can help.
pub async fn inspect(reference: &str, options: &Options) -> Result<Inspection, ReadFailure> {
    let reference = Reference::parse(reference, options.places == Places::Anywhere)?;
    let depth = options.depth;
    let (origin, opened, keep) = open(reference, options).await?;
    let read = tokio::task::spawn_blocking(move || reading::facts(opened, depth));
    let (facts, reading) = read.await.map_err(|error| {
        ReadFailure::new(ReadCode::ImageFormat, format!("reading broke off: {error}"))
    })??;
    if let Some(keep) = keep {
        keep.store(&facts.files);
    }
    Ok(Inspection {
        origin,
        verdict: contract::judge(&facts),
        forecast: contract::forecast(&facts),
        facts,
        reading,
    })
}

/// Where an image is, how its files can be read, and where to keep what will be read of it.
type Found = (Origin, Opened, Option<Kept>);

async fn open(reference: Reference, options: &Options) -> Result<Found, ReadFailure> {
    match reference {
        Reference::Path(path, tag, layout) => {
            let name = path.display().to_string();
            let opened = move || open_path(&path, tag.as_deref(), layout);
            let opened = tokio::task::spawn_blocking(opened);
            let (kind, opened) = opened.await.map_err(|error| {
                ReadFailure::new(ReadCode::ImageFormat, format!("reading broke off: {error}"))
            })??;
            Ok((Origin { kind: kind.to_owned(), name, digest: None }, opened, None))
        }
        Reference::Registry(name) => from_registry(&name, options).await,
        Reference::Engine(name) => {
            from_engine(&name, options).await?.ok_or_else(|| engine::missing(&name))
        }
        Reference::Name(text, name) => match from_engine(&text, options).await {
            Ok(Some(found)) => Ok(found),
            // An engine that was asked for by its address is not passed over in silence.
            Err(failure) if options.engine.is_named() => Err(failure),
            // Without an engine, or without the image in it, the registry decides.
            Ok(None) | Err(_) => from_registry(&name, options).await,
        },
    }
}

async fn from_registry(name: &RegistryName, options: &Options) -> Result<Found, ReadFailure> {
    let (digest, opened) = registry::open(name, options.patience).await?;
    let origin = Origin { kind: "registry".to_owned(), name: name.full(), digest: Some(digest) };
    Ok((origin, opened, None))
}

async fn from_engine(name: &str, options: &Options) -> Result<Option<Found>, ReadFailure> {
    let client = match &options.engine {
        Engine::Found(client) => client.clone(),
        Engine::ToFind(search) => endpoint::find(search, async |reached| Ok(reached.client))
            .await
            .map_err(|error| ReadFailure::new(ReadCode::EngineUnreachable, error.to_string()))?,
    };
    let found = engine::open(client, name, options.kept.as_deref(), options.depth).await?;
    Ok(found.map(|(id, opened, keep)| {
        let origin = Origin { kind: "engine".to_owned(), name: name.to_owned(), digest: Some(id) };
        (origin, opened, keep)
    }))
}

/// Opens what is at a path. A reference that says what is there is held to it.
fn open_path(
    path: &Path,
    tag: Option<&str>,
    layout: Layout,
) -> Result<(&'static str, Opened), ReadFailure> {
    let is_folder = path.is_dir();
    let is_layout = path.join("index.json").is_file() && path.join("blobs").is_dir();
    let is_not = |what: &str| {
        Err(ReadFailure::new(ReadCode::ImageFormat, format!("{} is no {what}", path.display())))
    };
    match layout {
        Layout::Oci if is_folder && !is_layout => {
            return is_not("OCI layout: it has no `index.json` and `blobs`");
        }
        Layout::Archive if is_folder => return is_not("archive but a folder"),
        Layout::Folder if path.exists() && !is_folder => return is_not("folder"),
        Layout::Any | Layout::Oci | Layout::Archive | Layout::Folder => {}
    }
    if !is_folder {
        return Ok(("archive", source::open_tar(path, tag)?));
    }
    if is_layout && layout != Layout::Folder {
        return Ok(("oci-layout", source::open_layout(path, tag)?));
    }
    Ok(("folder", source::open_folder(path)?))
}

#[cfg(test)]
mod tests {
    use super::{Options, ReadCode};

    #[test]
    fn a_reference_that_says_what_is_there_is_held_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().display();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        for (reference, words) in [
            (format!("oci:{place}"), "is no OCI layout"),
            (format!("docker-archive:{place}"), "is no archive but a folder"),
            (format!("dir:{}", file.display()), "is no folder"),
        ] {
            let failure = runtime.block_on(super::inspect(&reference, &Options::default()));
            let failure = failure.unwrap_err();
            assert_eq!(failure.code, ReadCode::ImageFormat);
            assert!(failure.message.contains(words), "{}", failure.message);
        }
    }
}
