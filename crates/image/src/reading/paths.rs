//! Reads single paths, round by round, until nothing is missing.

use std::collections::BTreeMap;

use contract::{Content, ImageFacts, Node};

use super::{Depth, LISTED, Reading, prune};
use crate::failure::{ReadCode, ReadFailure};
use crate::source::{Paths, Wish};

/// Each round follows every open question one link or folder further.
const MAX_ROUNDS: u32 = 400;

/// Fills the facts from paths.
pub(super) fn read(
    paths: &mut dyn Paths,
    facts: &mut ImageFacts,
    depth: Depth,
) -> Result<Reading, ReadFailure> {
    // Programs of which only the forecast wants to know that they are there. The verdict must not
    // take them for read: it asks for what they hold if it comes to them.
    let mut seen: BTreeMap<String, Node> = BTreeMap::new();
    let mut rounds = 0;
    loop {
        let missing = missing(facts, &seen, depth);
        if missing.is_empty() {
            break;
        }
        rounds += 1;
        if rounds > MAX_ROUNDS {
            let path = &missing[0].0;
            let message = format!("{path} is still not found after {MAX_ROUNDS} steps");
            return Err(ReadFailure::new(ReadCode::ImageLimit, message));
        }
        let nodes = paths.nodes(&missing)?;
        for ((path, wish), node) in missing.into_iter().zip(nodes) {
            match (wish, &node) {
                (Wish::Words, Node::File { content: Content::Unread { .. }, .. }) => {
                    seen.insert(path, node)
                }
                _ => facts.files.insert(path, node),
            };
        }
    }
    if depth == Depth::Whole {
        for folder in LISTED {
            if !is_folder(facts, folder) {
                continue;
            }
            let children = paths.children(folder)?;
            let asked: Vec<_> =
                children.iter().map(|path| (path.clone(), Wish::Contents)).collect();
            let nodes = paths.nodes(&asked)?;
            facts.files.extend(children.into_iter().zip(nodes));
        }
    }
    for (path, node) in seen {
        facts.files.entry(path).or_insert(node);
    }
    prune(facts);
    Ok(Reading { passes: 1, not_verified: paths.not_verified(), ..Reading::default() })
}

/// The paths that verdict and forecast lack.
fn missing(facts: &ImageFacts, seen: &BTreeMap<String, Node>, depth: Depth) -> Vec<(String, Wish)> {
    let mut missing: BTreeMap<String, Wish> = BTreeMap::new();
    if depth == Depth::Whole {
        let mut all = facts.clone();
        for (path, node) in seen {
            all.files.entry(path.clone()).or_insert_with(|| node.clone());
        }
        let unread = contract::forecast(&all).unread;
        missing.extend(unread.into_iter().map(|path| (path, Wish::Words)));
    }
    let unread = contract::judge(facts).unread;
    missing.extend(unread.into_iter().map(|path| (path, Wish::Contents)));
    missing.into_iter().collect()
}

/// Whether a path leads to a folder through folders alone; behind a link may be another file system.
fn is_folder(facts: &ImageFacts, path: &str) -> bool {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter(|&end| end > 0).all(|end| facts.files.get(&path[..end]) == Some(&Node::Directory))
}
