//! Refuses to try a commit while its definitions lie changed in the working tree: the author would
//! read a verdict about something else than what is on the screen.

use environment::{Options, RepoPath, Target};

use crate::definitions::Definitions;
use crate::fault::Fault;
use crate::repository::Repository;
use crate::sources::WorkingTree;

/// How many paths an error names.
const NAMED: usize = 5;

/// Says which definition files are modified or untracked, if any are.
///
/// Definition files are all of `.auto`, where a new agent would appear, whatever the commit's agents
/// import from elsewhere, and what the working tree defines in any format. For a single target, another
/// agent's file does not matter.
pub(crate) fn refuse(
    repository: &Repository,
    target: &Target,
    definitions: &Definitions,
    options: &Options,
) -> Result<(), Fault> {
    let read = definitions.files();
    let mut places = read.clone();
    places.extend(RepoPath::new(".auto").ok());
    if let Some(tree) = repository.tree().ok().and_then(|root| WorkingTree::open(root).ok()) {
        places.extend(Definitions::read(&tree, target, options).files());
    }
    places.sort();
    places.dedup();
    let changed = repository.changed(&places)?;
    let matters = |path: &String| {
        // An agent that the commit does not hold, or whose file is broken there, was not read.
        let unread = *target == Target::All || definitions.plans.is_empty();
        unread || read.iter().any(|file| file.as_str() == path)
    };
    let changed: Vec<String> = changed.into_iter().filter(matters).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let more = match changed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named: Vec<&str> = changed.iter().take(NAMED).map(String::as_str).collect();
    Err(Fault::usage(format!("definitions are not committed: {}{more}", named.join(", "))).hint(
        "commit them, or give `--allow-dirty` to read the working tree's definitions (files of the checkout are the commit's all the same)",
    ))
}
