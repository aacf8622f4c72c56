//! The published page's recipe, done by hand with the `docker` client.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::bench::folder;
use crate::bench::timer::Contestant;
use crate::command::{command, quiet};
use crate::house::House;
use crate::paths;

/// The repository's check, as both sides run it.
pub(crate) const SMOKE: &str = "make test";

/// The recipe's commands, in the page's order.
const SCRIPT: &str = include_str!("recipe.sh");

/// The recipe, ready to be timed.
///
/// On BuildKit where the client has it: the recipe's last line removes the image, and with the classic builder that
/// takes the cache along, so that nothing by hand is ever warm.
pub(crate) fn contestant(house: &House, repository: &Path, what: &str) -> Result<Contestant> {
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
    let (builder, buildkit) = match quiet(&mut by_hand("1")) {
        Ok(()) => ("BuildKit", "1"),
        Err(error) => {
            println!("by hand on the classic builder, since BuildKit fails: {error:#}");
            ("classic", "0")
        }
    };
    Ok(Contestant::new(format!("by hand, {builder}, {what}"), by_hand(buildkit)))
}

/// Debian's client has BuildKit built in; another one first in `PATH` may lack the plug-in for it.
pub(crate) fn client() -> &'static str {
    if Path::new("/usr/bin/docker").exists() { "/usr/bin/docker" } else { "docker" }
}
