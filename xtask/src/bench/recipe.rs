//! The published page's recipe, done by hand with the `docker` client.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::bench::folder;
use crate::bench::timer::Contestant;
use crate::command::{command, quiet};
use crate::house::House;
use crate::paths;

/// The repository's check, as both sides run it.
pub(crate) const SMOKE: &str = "make test";

/// The recipe's commands, in the page's order.
const SCRIPT: &str = include_str!("recipe.sh");

/// The recipe on each builder that the client has.
pub(crate) fn contestants(house: &House, repository: &Path, what: &str) -> Result<Vec<Contestant>> {
    let probe = fs::read_to_string(paths::workspace().join("probe/debian-contract-v0.dockerfile"))?;
    let dockerfile = folder("recipe")?.join("Dockerfile");
    fs::write(&dockerfile, include_str!("recipe.dockerfile").replace("# PROBE\n", &probe))?;
    let by_hand = |buildkit: &str| {
        let mut script = command("sh", ["-c", SCRIPT]);
        script.current_dir(repository);
        script
            .env("DOCKER_HOST", house.host())
            .env("DOCKER_BUILDKIT", buildkit)
            .env("DOCKER", client());
        script.env("IMAGE_REF", house.debian()).env("DOCKERFILE", &dockerfile).env("SMOKE", SMOKE);
        script
    };
    let all = [("classic", "0"), ("BuildKit", "1")];
    let able = all.into_iter().filter(|(_, buildkit)| quiet(&mut by_hand(buildkit)).is_ok());
    let contestants: Vec<_> = able
        .map(|(builder, buildkit)| {
            Contestant::new(format!("by hand, {builder}, {what}"), by_hand(buildkit))
        })
        .collect();
    ensure!(!contestants.is_empty(), "the hand recipe fails: {:?}", capture_failure(by_hand("0")));
    Ok(contestants)
}

/// Debian's client has BuildKit built in; another one first in `PATH` may lack the plug-in for it.
fn client() -> &'static str {
    if Path::new("/usr/bin/docker").exists() { "/usr/bin/docker" } else { "docker" }
}

fn capture_failure(mut script: Command) -> Option<String> {
    quiet(&mut script).err().map(|error| error.to_string())
}
