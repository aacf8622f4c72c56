//! What the user means by TARGET: an agent's file, a name, or everything.

use std::path::Path;

use environment::Target;

use crate::fault::Fault;
use crate::repository::Repository;

/// Reads TARGET. A path is told by a `/` or by its ending, so that it can also name a file of
/// another commit, which the working tree need not have.
pub(crate) fn parse(repository: &Repository, target: Option<&str>) -> Result<Target, Fault> {
    let Some(target) = target else {
        return Ok(Target::All);
    };
    if !looks_like_a_file(target) {
        return Ok(Target::Name(target.to_owned()));
    }
    let path = Path::new(target);
    if path.is_dir() {
        return Err(Fault::usage(format!("{target} is a folder"))
            .hint(format!("name a file or an agent, or start there: `drydock -C {target} …`")));
    }
    // Reports name files from the root, and people copy what they read.
    let from_root = repository.root().join(target);
    let path = if !path.exists() && from_root.is_file() { &from_root } else { path };
    repository.inside(path).map(Target::File).ok_or_else(|| {
        Fault::usage(format!("{target} is not inside {}", repository.root().display()))
            .hint("start in the repository that holds the file, or give `-C DIR`")
    })
}

fn looks_like_a_file(target: &str) -> bool {
    let ending = Path::new(target).extension().and_then(|ending| ending.to_str());
    target.contains('/')
        || matches!(target, "." | "..")
        || matches!(ending, Some("yaml" | "yml" | "json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_slash_or_a_yaml_ending() {
        for (target, is_file) in [
            (".auto/agents/x.yaml", true),
            ("x.yaml", true),
            ("x.yml", true),
            ("x.json", true),
            (".", true),
            ("agent-runtime", false),
            ("agent.v2", false),
        ] {
            assert_eq!(looks_like_a_file(target), is_file, "{target}");
        }
    }
}
