//! Definitions to plan: one agent with two fragments, and 1,000 agents that share 20.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::repository;

const AGENTS: usize = 1_000;
const FRAGMENTS: usize = 20;

/// One agent that imports two fragments.
pub(crate) fn two_fragments(folder: &Path) -> Result<()> {
    drop(fs::remove_dir_all(folder));
    for number in 0..2 {
        put(folder, &format!(".auto/fragments/part-{number}.yaml"), &fragment(number))?;
    }
    put(folder, ".auto/agents/agent.yaml", &agent(0, &[0, 1]))?;
    repository::commit(folder)
}

/// 1,000 agents, each importing two of 20 fragments: 20 different environments in all.
pub(crate) fn thousand_agents(folder: &Path) -> Result<()> {
    drop(fs::remove_dir_all(folder));
    for number in 0..FRAGMENTS {
        put(folder, &format!(".auto/fragments/part-{number}.yaml"), &fragment(number))?;
    }
    for number in 0..AGENTS {
        let first = number % FRAGMENTS;
        let text = agent(number, &[(first + 7) % FRAGMENTS, first]);
        put(folder, &format!(".auto/agents/agent-{number:04}.yaml"), &text)?;
    }
    repository::commit(folder)
}

/// An environment's image, steps, setup and variables; the later import's lists replace the earlier's.
fn fragment(number: usize) -> String {
    format!(
        "environment:\n  name: runtime-{number}\n  image:\n    kind: base\n    ref: debian:bookworm\n  env:\n    \
         PART_{number}: \"on\"\n  steps:\n    - RUN apt-get update && apt-get install -y --no-install-recommends make \
         && rm -rf /var/lib/apt/lists/*\n    - RUN echo part-{number} > /etc/part\n  setup:\n    - name: install\n      \
         commands:\n        - make environment-setup\n        - make part-{number}\n  resources:\n    cpuCount: 2\n    \
         memoryMB: 4096\n"
    )
}

fn agent(number: usize, fragments: &[usize]) -> String {
    let mut text = format!("name: agent-{number}\nharness: codex\nimports:\n");
    for fragment in fragments {
        let _ = writeln!(text, "  - ../fragments/part-{fragment}.yaml");
    }
    text.push_str(
        "systemPrompt: |\n  Keep the build green.\n  Answer in one paragraph.\nmounts:\n  - kind: git\n    repository: \
         acme/widgets\n    mountPath: /workspace/widgets\n    ref: main\nworkingDirectory: /workspace/widgets\n",
    );
    text
}

fn put(folder: &Path, file: &str, text: &str) -> Result<()> {
    let file = folder.join(file);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    Ok(fs::write(file, text)?)
}
