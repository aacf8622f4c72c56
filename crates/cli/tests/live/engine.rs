//! The test engine, as the tests see it: where it is, which bases it can pull, and what is left on it.

use std::ffi::OsString;
use std::process::Command;

/// The engine and the registry that `cargo xtask` set up.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    /// Its address on this machine.
    pub(crate) host: String,
    /// Where `drydock` finds it, when it is to take another way.
    pub(crate) afar: Option<Afar>,
    registry: String,
    debian: String,
    musl: String,
}

/// Another way to the same engine.
#[derive(Clone, Debug)]
pub(crate) struct Afar {
    /// The engine's address by this way.
    pub(crate) host: String,
    /// Variables that go with it.
    pub(crate) variables: Vec<(&'static str, OsString)>,
}

impl Engine {
    /// Reads the variables of `cargo xtask env`; the error is the name of a missing one.
    pub(crate) fn from_environment() -> Result<Self, &'static str> {
        let read = |name: &'static str| std::env::var(name).map_err(|_| name);
        Ok(Self {
            host: read("DRYDOCK_TEST_ENGINE")?,
            afar: None,
            registry: read("DRYDOCK_TEST_REGISTRY")?,
            debian: read("DRYDOCK_TEST_BASE")?,
            musl: read("DRYDOCK_TEST_MUSL_BASE")?,
        })
    }

    /// A command of `drydock` on this engine.
    pub(crate) fn drydock(&self, verb: &str) -> Command {
        let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
        let host = self.afar.as_ref().map_or(&self.host, |afar| &afar.host);
        drydock.args([verb, "--host", host]);
        drydock.envs(self.afar.iter().flat_map(|afar| afar.variables.clone()));
        drydock
    }

    /// The reference behind a fixture's base: one of the two main ones, or a folder of `fixtures/bases/`.
    /// `absent` has no folder, so the registry has no such image.
    pub(crate) fn base(&self, key: &str) -> String {
        match key {
            "debian" => self.debian.clone(),
            "musl" => self.musl.clone(),
            derived => format!("{}/drydock-fixture/{derived}:1", self.registry),
        }
    }

    /// Runs the `docker` client on the test engine and returns what it prints.
    pub(crate) fn docker(&self, arguments: &[&str]) -> Result<String, String> {
        let mut docker = Command::new("docker");
        docker.args(arguments).env("DOCKER_HOST", &self.host).env_remove("DOCKER_CONTEXT");
        let output = docker.output().map_err(|error| format!("no docker client: {error}"))?;
        if !output.status.success() {
            return Err(format!(
                "docker {arguments:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Everything on the engine that carries `run`, in a label or in its name.
    pub(crate) fn left_of(&self, run: &str) -> Result<Vec<String>, String> {
        let containers = self.docker(&[
            "ps",
            "--all",
            "--no-trunc",
            "--format",
            "container {{.ID}} {{.Names}} {{.Labels}}",
        ])?;
        let volumes = self.docker(&["volume", "ls", "--format", "volume {{.Name}} {{.Labels}}"])?;
        let networks =
            self.docker(&["network", "ls", "--format", "network {{.Name}} {{.Labels}}"])?;
        let images = self.images()?;
        let all =
            containers.lines().chain(volumes.lines()).chain(networks.lines()).chain(images.lines());
        Ok(all.filter(|line| line.contains(run)).map(str::to_owned).collect())
    }

    /// Every image, the intermediate ones of the classic builder included, with names and labels.
    pub(crate) fn images(&self) -> Result<String, String> {
        // One that another test removes between the two calls makes the second one fail: then the list is old.
        for _ in 0..20 {
            let ids = self.docker(&["image", "ls", "--all", "--quiet", "--no-trunc"])?;
            let mut inspect = vec![
                "image",
                "inspect",
                "--format",
                "image {{.Id}} {{.RepoTags}} {{.Config.Labels}}",
            ];
            inspect.extend(ids.lines());
            match self.docker(&inspect) {
                Ok(images) => return Ok(images),
                Err(reason) if reason.contains("No such image") => {}
                Err(reason) => return Err(reason),
            }
        }
        Err("the engine's images change too fast to be listed".to_owned())
    }
}
