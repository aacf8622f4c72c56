//! The real engine: loads an image, runs the probe on it, and removes what it made.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bollard::Docker;
use bollard::models::BuildInfoAux;
use bollard::query_parameters::{BuildImageOptions, BuilderVersion};
use contract::Marker;
use endpoint::Search;
use futures_util::StreamExt as _;
use image::{Inspection, Options};

use crate::case::Said;
use crate::relay;

/// An engine to test with.
#[derive(Debug)]
pub(crate) struct Engine {
    host: String,
    /// The same engine where its folders cannot be read.
    remote: String,
    pub(crate) debian: String,
    pub(crate) musl: String,
    runtime: tokio::runtime::Runtime,
}

/// Which of the engine's builders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builder {
    Buildkit,
    Classic,
}

impl Engine {
    /// The engine that the environment names; else the name of what is missing.
    pub(crate) fn from_environment() -> Result<Self, &'static str> {
        let read = |name| std::env::var(name).ok().filter(|value| !value.is_empty()).ok_or(name);
        let host = read("DRYDOCK_TEST_ENGINE")?;
        let remote = relay::start(host.trim_start_matches("unix://")).map_err(|_| "a port")?;
        Ok(Self {
            host,
            remote,
            debian: read("DRYDOCK_TEST_BASE")?,
            musl: read("DRYDOCK_TEST_MUSL_BASE")?,
            runtime: tokio::runtime::Runtime::new().map_err(|_| "a runtime")?,
        })
    }

    /// The files of an image, without running it.
    pub(crate) fn export(&self, image: &str) -> Result<Vec<u8>, String> {
        let id =
            self.docker(&["create", "--label", "dev.drydock.run=agreement", image, "/none"], &[])?;
        let id = String::from_utf8_lossy(&id).trim().to_owned();
        let files = self.docker(&["export", &id], &[]);
        self.docker(&["rm", &id], &[])?;
        files
    }

    /// Loads an archive.
    pub(crate) fn load(&self, archive: &[u8]) -> Result<(), String> {
        self.docker(&["load"], archive).map(|_| ())
    }

    /// Removes images; what is left of them does not fail a test.
    pub(crate) fn remove(&self, images: &[String]) {
        for image in images {
            let _ = self.docker(&["image", "rm", "--force", image], &[]);
        }
    }

    /// Reads an image statically.
    pub(crate) fn inspect(&self, reference: &str) -> Result<Inspection, String> {
        self.inspect_at(&self.host, reference, None)
    }

    /// The same through the engine's API alone, with a folder where facts are kept.
    pub(crate) fn inspect_by_api(
        &self,
        reference: &str,
        kept: &Path,
    ) -> Result<Inspection, String> {
        self.inspect_at(&self.remote, reference, Some(kept.to_owned()))
    }

    fn inspect_at(
        &self,
        host: &str,
        reference: &str,
        kept: Option<PathBuf>,
    ) -> Result<Inspection, String> {
        let search = Search { host: Some(host.to_owned()), ..Search::default() };
        let options = Options { engine: image::Engine::ToFind(search), kept, ..Options::default() };
        let read = self.runtime.block_on(image::inspect(reference, &options));
        read.map_err(|failure| format!("{reference}: {failure} ({})", failure.code.name()))
    }

    /// Runs the probe: what it said, and the log.
    pub(crate) fn probe(&self, image: &str, builder: Builder) -> Result<(Said, String), String> {
        self.runtime.block_on(self.build(image, builder))
    }

    async fn build(&self, image: &str, builder: Builder) -> Result<(Said, String), String> {
        let docker = Docker::connect_with_unix(
            self.host.trim_start_matches("unix://"),
            120,
            bollard::API_DEFAULT_VERSION,
        )
        .map_err(|error| error.to_string())?;
        let dockerfile = format!("FROM {image}\nUSER root\n{}", contract::PROBE);
        let mut context = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(dockerfile.len() as u64);
        header.set_mode(0o644);
        context
            .append_data(&mut header, "Dockerfile", dockerfile.as_bytes())
            .map_err(|error| error.to_string())?;
        let context = context.into_inner().map_err(|error| error.to_string())?;
        let mut options = BuildImageOptions {
            dockerfile: "Dockerfile".to_owned(),
            rm: true,
            forcerm: true,
            nocache: true,
            ..Default::default()
        };
        if builder == Builder::Buildkit {
            options.version = BuilderVersion::BuilderBuildKit;
            options.session = Some(format!("{image}-{builder:?}"));
        }
        let mut updates =
            docker.build_image(options, None, Some(bollard::body_full(context.into())));
        let (mut output, mut error, mut built) = (String::new(), None, None);
        while let Some(update) = updates.next().await {
            match update {
                Err(failure) => error = Some(failure.to_string()),
                Ok(info) => {
                    output.push_str(info.stream.as_deref().unwrap_or(""));
                    match info.aux {
                        Some(BuildInfoAux::Default(image)) => built = image.id,
                        Some(BuildInfoAux::BuildKit(status)) => {
                            for log in status.logs {
                                output.push_str(&String::from_utf8_lossy(&log.msg));
                            }
                        }
                        None => {}
                    }
                }
            }
        }
        if let Some(built) = built.filter(|_| error.is_none()) {
            self.remove(&[built]);
        }
        // The classic builder colours what goes to standard error, also into a file.
        let plain = output.replace("\u{1b}[91m", "").replace("\u{1b}[0m", "");
        let marker = plain.lines().find_map(Marker::from_line);
        let said = match (&error, marker) {
            (None, _) => Said::Pass,
            (Some(_), Some(Marker(check))) => check.into(),
            (Some(_), None) => Said::Silent,
        };
        Ok((said, format!("{plain}\n{}", error.unwrap_or_default())))
    }

    fn docker(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let mut child = Command::new("docker")
            .args(["--host", &self.host])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("docker: {error}"))?;
        let mut stdin = child.stdin.take().ok_or("no way in")?;
        let output = std::thread::scope(|scope| {
            scope.spawn(move || std::io::Write::write_all(&mut stdin, input));
            child.wait_with_output()
        });
        let output = output.map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("docker {}: {words}", arguments.join(" ")))
    }
}
