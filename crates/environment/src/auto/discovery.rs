//! Which files are definitions: agents, and what must not be one.

use super::imports::is_yaml;
use crate::fault::{At, Fault};
use crate::files::{Files, LoadError, load_fault};
use crate::{Code, RepoPath, Target};

/// What was found below `.auto/`.
#[derive(Default)]
pub(super) struct Discovery {
    /// Agent files, in the order of their paths.
    pub(super) agents: Vec<RepoPath>,
    /// Every file, to say which one may have been meant.
    pub(super) all: Vec<RepoPath>,
    /// What is wrong with the repository as a whole.
    pub(super) faults: Vec<Fault>,
    /// Why the target itself is no agent.
    pub(super) refused: Vec<Fault>,
    /// Agent files that could not be read.
    pub(super) unreadable: Vec<(RepoPath, Fault)>,
}

impl Discovery {
    pub(super) fn new(files: &Files<'_>, target: &Target) -> Self {
        let mut found = Self::default();
        let Ok(folder) = RepoPath::new(".auto") else { return found };
        match files.list(&folder) {
            Ok(all) => found.all = all,
            Err(error) => {
                let at = At::File(folder.clone());
                found.faults.push(load_fault(&LoadError::Source(error), &folder, at));
            }
        }
        found.agents = found.all.iter().filter(|path| is_agent(path)).cloned().collect();
        if let Some(first) = found.all.iter().find(|path| is_environment(path)) {
            let message = "definitions in `.auto/environments/` are refused";
            let fault = Fault::anywhere(Code::EnvironmentsFolder, At::File(first.clone()), message)
                .expected("environments inline in `.auto/agents/` files")
                .hint(
                    "move it below `environment:` of a fragment in `.auto/fragments/environments/`",
                );
            found.faults.push(fault);
        }
        if let Target::File(path) = target {
            found.target(files, path);
        }
        found
    }

    /// A file named on the command line may lie anywhere, but must be able to be an agent.
    fn target(&mut self, files: &Files<'_>, path: &RepoPath) {
        if self.agents.contains(path) {
            return;
        }
        let refuse = |message: &str, hint: &'static str| {
            Fault::anywhere(Code::TargetNotAgent, At::File(path.clone()), message)
                .expected("an agent file in `.auto/agents/`")
                .hint(hint)
        };
        let exists = self.all.contains(path) || files.exists(path);
        if exists && is_environment(path) {
            let message = "files in `.auto/environments/` are refused";
            self.refused
                .push(refuse(message, "define it inline, below `environment:` of a fragment"));
        } else if exists && path.as_str().starts_with(".auto/fragments/") {
            let message = "a fragment is never applied alone";
            self.refused.push(refuse(message, "name an agent that imports it"));
        } else if exists && !is_yaml(path) {
            self.refused.push(refuse("the file is not YAML", "name a `.yaml` or `.yml` file"));
        } else if exists {
            self.agents.push(path.clone());
        }
    }
}

fn is_agent(path: &RepoPath) -> bool {
    path.as_str().starts_with(".auto/agents/") && is_yaml(path)
}

fn is_environment(path: &RepoPath) -> bool {
    path.as_str().starts_with(".auto/environments/")
}

/// The name of a file without its folders and its extension.
pub(super) fn stem(path: &RepoPath) -> &str {
    let name = path.as_str().rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or(name)
}
