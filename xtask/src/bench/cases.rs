//! 40 cases with 10 distinct plans: one `drydock matrix` beside 40 `drydock check` in a row.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::bench::timer::Contestant;
use crate::command::command;
use crate::house::House;
use crate::repository;

const PLANS: usize = 10;
const ROUNDS: usize = 4;

/// Ten agents whose plans differ in a step, and the matrix that tries each four times.
pub(crate) fn write(folder: &Path, base: &str) -> Result<()> {
    drop(fs::remove_dir_all(folder));
    fs::create_dir_all(folder.join(".auto/agents"))?;
    for n in 0..PLANS {
        let agent = format!(
            "name: agent-{n}\nharness: codex\nenvironment:\n  name: runtime-{n}\n  image:\n    kind: base\n    \
             ref: debian:bookworm\n  steps:\n    - RUN echo {n} > /etc/part\nmounts:\n  - kind: git\n    \
             repository: acme/widgets\n    mountPath: /workspace/widgets\nworkingDirectory: /workspace/widgets\n"
        );
        fs::write(folder.join(format!(".auto/agents/agent-{n}.yaml")), agent)?;
    }
    let mut matrix = String::new();
    for round in 0..ROUNDS {
        writeln!(matrix, "[[matrix.case]]\nname = \"round {round}\"\nbase = \"{base}\"")?;
    }
    fs::write(folder.join("drydock.toml"), matrix)?;
    repository::commit(folder)
}

/// All 40 cases by one command.
pub(crate) fn matrix(house: &House, drydock: &str, folder: &Path) -> Contestant {
    let mut matrix = command(drydock, ["matrix", "--host", &house.host()]);
    matrix.current_dir(folder);
    Contestant::new("drydock matrix, 40 cases, 10 plans", matrix)
}

/// The same by 40 commands, one after another.
pub(crate) fn checks(house: &House, drydock: &str, folder: &Path, base: &str) -> Contestant {
    let script = format!(
        "for round in $(seq {ROUNDS}); do for n in $(seq 0 {}); do \"$1\" check \"agent-$n\" --host \"$2\" --base \"$3\" || exit; \
         done; done",
        PLANS - 1
    );
    let mut checks = command("sh", ["-c", &script, "sh", drydock, &house.host(), base]);
    checks.current_dir(folder);
    Contestant::new("40 drydock checks in a row", checks)
}
