//! A bake file on a newer engine, by `docker buildx`: what must build builds, what must fail is named by `drydock triage`.
//!
//! `cargo xtask` gets the engine from a later Debian and names it in variables. Without them the test says so and
//! proves nothing; with `DRYDOCK_LIVE=required` it fails, unless the engine's packages cannot be had.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// `docker buildx` on the newer engine.
struct Newer {
    engine: String,
    buildx: PathBuf,
    /// Its own settings, so that none of a user's builders is meant.
    settings: TempDir,
}

impl Newer {
    fn get() -> Option<Self> {
        if let Ok(reason) = std::env::var("DRYDOCK_TEST_NEWER_CANNOT_BE_HAD") {
            eprintln!("skipped: no newer engine: {reason}");
            return None;
        }
        let Some(engine) = variable("DRYDOCK_TEST_NEWER_ENGINE") else {
            let required = std::env::var("DRYDOCK_LIVE").is_ok_and(|live| live == "required");
            assert!(!required, "DRYDOCK_TEST_NEWER_ENGINE is not set: run `cargo xtask test`");
            eprintln!("skipped: DRYDOCK_TEST_NEWER_ENGINE is not set (see `cargo xtask env`)");
            return None;
        };
        let buildx = variable("DRYDOCK_TEST_BUILDX").unwrap().into();
        Some(Self { engine, buildx, settings: TempDir::new().unwrap() })
    }

    /// Bakes one target of the bake file in `folder`, and returns its rawjson beside the status.
    fn bake(&self, folder: &Path, target: &str) -> (PathBuf, Output) {
        let mut buildx = Command::new(&self.buildx);
        buildx.args(["bake", target, "--progress", "rawjson"]).current_dir(folder);
        buildx.env("DOCKER_HOST", &self.engine).env("DOCKER_CONFIG", self.settings.path());
        for inherited in ["DOCKER_CONTEXT", "BUILDX_BUILDER", "BUILDX_CONFIG"] {
            buildx.env_remove(inherited);
        }
        let output = buildx.output().unwrap();
        let log = folder.join(format!("{target}.log"));
        std::fs::write(&log, &output.stderr).unwrap();
        (log, output)
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// What `drydock triage` says of a log, and its status.
fn triage(log: &Path) -> (Option<i32>, Value) {
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    let output = drydock.args(["triage", "--json"]).arg(log).output().unwrap();
    let said = serde_json::from_slice(&output.stdout);
    (output.status.code(), said.unwrap_or_else(|_| panic!("{output:?}")))
}

#[test]
fn each_target_comes_to_what_a_check_says() {
    let Some(newer) = Newer::get() else { return };
    let bases = ["DRYDOCK_TEST_BASE", "DRYDOCK_TEST_MUSL_BASE"].map(|base| variable(base).unwrap());
    let repository = crate::repository();
    for (target, base, expected) in [
        ("runtime", &bases[0], None),
        ("runtime", &bases[1], Some(("contract-glibc-loader", "probe", "base-image", 1))),
        ("other", &bases[0], Some(("unclassified", "authored-step", "author", 7))),
    ] {
        let out = TempDir::new().unwrap();
        crate::baked(repository.path(), out.path(), &[target, "--base", base]);
        let (log, baked) = newer.bake(out.path(), target);
        let text = std::fs::read_to_string(&log).unwrap();
        assert_eq!(baked.status.success(), expected.is_none(), "{target} on {base}: {text}");
        let (status, said) = triage(&log);
        let Some((code, phase, owner, exit)) = expected else {
            assert_eq!((status, &said["verdict"]), (Some(0), &"passed".into()), "{said:#}");
            continue;
        };
        let failure = &said["failure"];
        let named = ["code", "phase", "owner"].map(|field| failure[field].as_str().unwrap_or(""));
        assert_eq!(named, [code, phase, owner], "{said:#}");
        assert_eq!((status, &failure["exit_code"]), (Some(1), &exit.into()), "{said:#}");
    }
}

#[test]
fn a_check_there_uses_the_builder_that_the_engine_prefers() {
    let Some(newer) = Newer::get() else { return };
    let (musl, repository) = (variable("DRYDOCK_TEST_MUSL_BASE").unwrap(), crate::repository());
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    drydock.args(["check", "runtime", "--json", "--no-static", "--base", &musl]);
    drydock.args(["--host", &newer.engine, "--allow-dirty"]);
    let output = drydock.current_dir(repository.path()).output().unwrap();
    let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let started = lines.iter().find(|line| line["event"] == "run-started").unwrap();
    assert_eq!(started["builder"], "buildkit", "{started}");
    let version = started["engine"].as_str().unwrap().rsplit(' ').next().unwrap();
    let major: u32 = version.split('.').next().unwrap().parse().unwrap();
    assert!(major >= 26, "not a newer engine: {version}");
    assert_eq!(lines.last().unwrap()["failure"]["code"], "contract-glibc-loader");
}
