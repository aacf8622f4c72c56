//! The peers: tools that turn a description into a Dockerfile, as Drydock's `plan` does. Installed by name, for the
//! benchmark alone; each gets the small project that it is made for.

use std::fs;

use anyhow::Result;

use crate::bench::folder;
use crate::bench::timer::Contestant;
use crate::command::{command, find_program, quiet, succeeds};
use crate::paths;

/// `nixpacks plan` on a Node project of two files.
pub(crate) fn nixpacks() -> Result<Option<Contestant>> {
    let root = paths::cache().join("tools");
    let program = root.join("bin/nixpacks");
    if !program.exists() {
        eprintln!("xtask: installing nixpacks");
        let mut install =
            command("cargo", ["install", "--quiet", "--locked", "nixpacks", "--root"]);
        if !succeeds(install.arg(&root)) {
            println!("nixpacks cannot be installed here: not compared");
            return Ok(None);
        }
    }
    let project = folder("nixpacks")?;
    fs::write(
        project.join("package.json"),
        "{\"name\": \"widgets\", \"scripts\": {\"start\": \"node index.js\"}}\n",
    )?;
    fs::write(project.join("index.js"), "console.log('ahoy')\n")?;
    let mut plan = command(&program.display().to_string(), ["plan", "."]);
    plan.current_dir(project);
    Ok(Some(Contestant::new("nixpacks plan", plan)))
}

/// `ansible-builder create` on a definition with inline dependencies.
pub(crate) fn ansible_builder() -> Result<Option<Contestant>> {
    let environment = paths::cache().join("ansible-builder");
    let program = environment.join("bin/ansible-builder");
    if !program.exists() {
        eprintln!("xtask: installing ansible-builder");
        let made = find_program("python3").is_some()
            && succeeds(command("python3", ["-m", "venv"]).arg(&environment))
            && quiet(&mut command(
                &environment.join("bin/pip").display().to_string(),
                ["install", "--quiet", "ansible-builder"],
            ))
            .is_ok();
        if !made {
            println!(
                "ansible-builder cannot be installed here (it needs python3-venv): not compared"
            );
            return Ok(None);
        }
    }
    let project = folder("ansible-builder")?;
    fs::write(
        project.join("execution-environment.yml"),
        "version: 3\nimages:\n  base_image:\n    name: debian:bookworm\ndependencies:\n  system: [make]\n  python: [six]\n  \
         ansible_core: {package_pip: ansible-core}\n  ansible_runner: {package_pip: ansible-runner}\n",
    )?;
    let mut create =
        command(&program.display().to_string(), ["create", "--output-filename", "Dockerfile"]);
    create.current_dir(project);
    Ok(Some(Contestant::new("ansible-builder create", create)))
}
