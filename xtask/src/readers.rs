//! Public readers of what Drydock writes: a Python environment and npm packages, in the cache.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::{command, find_program, run, succeeds};
use crate::packages;
use crate::paths;
use crate::root::Root;

/// Readers of JUnit XML, SARIF and workflow files, from PyPI.
const PYTHON: [&str; 4] =
    ["check-jsonschema==0.39.0", "junitparser==5.0.3", "pre-commit==4.7.0", "sarif-tools==3.0.5"];

/// The schema of SARIF 2.1.0, from npm.
const NPM: [&str; 1] = ["@microsoft/jest-sarif@1.0.0-beta.0"];

/// Programs that they stand on, and the packages that bring them.
const PROGRAMS: [(&str, &str); 3] =
    [("python3", "python3"), ("npm", "npm"), ("chromium", "chromium")];

/// Where the readers are, or will be.
pub(crate) fn folder() -> PathBuf {
    paths::cache().join("readers")
}

/// Installs the readers where they are missing.
pub(crate) fn install(root: Option<Root>) -> Result<()> {
    if let Some(root) = root {
        packages::install(root, &PROGRAMS)?;
        // Debian's Python has no environments of its own.
        if !succeeds(&mut command("python3", ["-c", "import ensurepip"])) {
            packages::install_package(root, "python3-venv")?;
        }
    }
    let folder = folder();
    let wanted = [PYTHON.join("\n"), NPM.join("\n")].join("\n");
    let installed = folder.join("installed");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    eprintln!("xtask: installing public readers of reports");
    fs::create_dir_all(&folder)?;
    python(&folder).context("installing Python readers")?;
    npm(&folder).context("installing npm readers")?;
    // Written last: a set-up that was cut short begins again.
    fs::write(installed, wanted)?;
    Ok(())
}

fn python(folder: &Path) -> Result<()> {
    let python = find_program("python3").context("there is no python3")?;
    let venv = folder.join("venv");
    run(command(&python.display().to_string(), ["-m", "venv", "--clear"]).arg(&venv))?;
    let mut pip = command(&venv.join("bin/pip").display().to_string(), ["install", "--quiet"]);
    run(pip.args(["--disable-pip-version-check", "--no-input"]).args(PYTHON))
}

fn npm(folder: &Path) -> Result<()> {
    let mut npm = command("npm", ["install", "--silent", "--no-save", "--no-audit", "--no-fund"]);
    npm.args(["--ignore-scripts", "--legacy-peer-deps", "--prefix"]).arg(folder).args(NPM);
    run(&mut npm)
}
