//! From an opened image to its facts: read, ask the judge what is missing, read on until nothing is.

mod layers;
mod paths;

use std::collections::BTreeMap;

use contract::{ImageConfig, ImageFacts, Node, Platform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ReadFailure;
use crate::source::{Files, Opened};

/// How much is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Everything: every layer to its end, every digest checked.
    #[default]
    Whole,
    /// As much as the verdict needs, from the top.
    Verdict,
}

/// What reading cost, and what it did not cover.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reading {
    /// Layers of the image.
    pub layers: usize,
    /// Layers that were read to their end.
    pub layers_read: usize,
    /// Bytes that came in, as they are stored.
    pub bytes_read: u64,
    /// How often layers were read again because a link led to an unusual place.
    pub passes: u32,
    /// What was not compared with a digest.
    pub not_verified: Vec<String>,
}

/// Reads the facts of an opened image.
pub(crate) fn facts(opened: Opened, depth: Depth) -> Result<(ImageFacts, Reading), ReadFailure> {
    let Opened { platform, config, size, files } = opened;
    let mut facts = start(platform, config);
    facts.size = size;
    if facts.platform.os != "linux" || facts.platform.architecture != "amd64" {
        // Decided by what it says of itself: no byte of a layer is needed.
        return Ok((
            facts,
            Reading { not_verified: vec!["all layers".into()], ..Reading::default() },
        ));
    }
    let reading = match files {
        Files::Layers(blobs) => layers::read(blobs.as_ref(), &mut facts, depth)?,
        Files::Paths(mut paths) => {
            let read = paths::read(paths.as_mut(), &mut facts, depth);
            paths.close();
            read?
        }
        Files::Known(files) => {
            facts.files = files;
            let not_verified = vec!["the engine's own store: it was read some time ago".to_owned()];
            Reading { not_verified, ..Reading::default() }
        }
    };
    Ok((facts, reading))
}

fn start(platform: Platform, config: ImageConfig) -> ImageFacts {
    ImageFacts { schema: "image-facts/1".to_owned(), platform, config, ..ImageFacts::default() }
}

/// Whether files that are known of an image answer all that will be asked.
pub(crate) fn suffices(
    files: &BTreeMap<String, Node>,
    (platform, config): (&Platform, &ImageConfig),
    depth: Depth,
) -> bool {
    let mut facts = start(platform.clone(), config.clone());
    facts.files.clone_from(files);
    unread(&facts, depth).is_empty()
}

/// Folders whose files are all of interest, whatever their names.
const LISTED: [&str; 2] = ["/etc/profile.d", "/etc/apt/sources.list.d"];

/// The paths that the facts lack.
fn unread(facts: &ImageFacts, depth: Depth) -> Vec<String> {
    let mut paths = contract::judge(facts).unread;
    if depth == Depth::Whole {
        paths.extend(contract::forecast(facts).unread);
    }
    paths.sort();
    paths.dedup();
    paths
}

/// Removes what no verdict asks for: the cache of libraries holds every library of the image.
fn prune(facts: &mut ImageFacts) {
    let needed: std::collections::BTreeSet<String> = facts
        .files
        .values()
        .filter_map(|node| match node {
            Node::File { content: contract::Content::Elf(elf), .. } => Some(elf.needed.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    for node in facts.files.values_mut() {
        if let Node::File { content: contract::Content::LibraryCache { libraries }, .. } = node {
            libraries.retain(|name, _| needed.contains(name));
        }
    }
}
