//! Reads single paths, round by round, until nothing is missing.

use contract::{ImageFacts, Node};

use super::{Depth, LISTED, Reading, prune, unread};
use crate::failure::{ReadCode, ReadFailure};
use crate::source::Paths;

/// Each round follows every open question one link or folder further.
const MAX_ROUNDS: u32 = 400;

/// Fills the facts from paths.
pub(super) fn read(
    paths: &mut dyn Paths,
    facts: &mut ImageFacts,
    depth: Depth,
) -> Result<Reading, ReadFailure> {
    let mut rounds = 0;
    loop {
        let missing = unread(facts, depth);
        if missing.is_empty() {
            break;
        }
        rounds += 1;
        if rounds > MAX_ROUNDS {
            let message = format!("{} is still not found after {MAX_ROUNDS} steps", missing[0]);
            return Err(ReadFailure::new(ReadCode::ImageLimit, message));
        }
        let nodes = paths.nodes(&missing)?;
        facts.files.extend(missing.into_iter().zip(nodes));
    }
    if depth == Depth::Whole {
        for folder in LISTED {
            if !is_folder(facts, folder) {
                continue;
            }
            let children = paths.children(folder)?;
            let nodes = paths.nodes(&children)?;
            facts.files.extend(children.into_iter().zip(nodes));
        }
    }
    prune(facts);
    Ok(Reading { passes: 1, not_verified: paths.not_verified(), ..Reading::default() })
}

/// Whether a path leads to a folder through folders alone; behind a link may be another file system.
fn is_folder(facts: &ImageFacts, path: &str) -> bool {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter(|&end| end > 0).all(|end| facts.files.get(&path[..end]) == Some(&Node::Directory))
}
