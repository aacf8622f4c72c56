//! What decides which engine is used, as values.

use std::path::PathBuf;

/// Which engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// An address that stands above everything else (`--host`).
    pub host: Option<String>,
    /// What the process's environment says.
    pub environment: EngineEnvironment,
}

/// The variables that Docker's and Podman's clients read, as values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineEnvironment {
    /// `DOCKER_HOST`.
    pub docker_host: Option<String>,
    /// `DOCKER_CONTEXT`.
    pub docker_context: Option<String>,
    /// `DOCKER_CONFIG`: the folder that holds `config.json`.
    pub docker_config: Option<PathBuf>,
    /// `DOCKER_TLS_VERIFY`: TLS where an address is TCP, when it is not empty.
    pub docker_tls_verify: bool,
    /// `DOCKER_CERT_PATH`.
    pub docker_cert_path: Option<PathBuf>,
    /// `CONTAINER_HOST`: Podman's own variable.
    pub container_host: Option<String>,
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `XDG_RUNTIME_DIR`.
    pub xdg_runtime_dir: Option<PathBuf>,
    /// `PATH`, for credential helpers.
    pub path: Option<std::ffi::OsString>,
}

impl EngineEnvironment {
    /// The folder of Docker's client: `$DOCKER_CONFIG`, else `$HOME/.docker`.
    #[must_use]
    pub fn docker_folder(&self) -> Option<PathBuf> {
        self.docker_config.clone().or_else(|| self.home.as_ref().map(|home| home.join(".docker")))
    }

    /// Reads the process's environment, once.
    #[must_use]
    pub fn of_this_process() -> Self {
        let text = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let path = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        Self {
            docker_host: text("DOCKER_HOST"),
            docker_context: text("DOCKER_CONTEXT"),
            docker_config: path("DOCKER_CONFIG"),
            docker_tls_verify: text("DOCKER_TLS_VERIFY").is_some(),
            docker_cert_path: path("DOCKER_CERT_PATH"),
            container_host: text("CONTAINER_HOST"),
            home: path("HOME"),
            xdg_runtime_dir: path("XDG_RUNTIME_DIR"),
            path: std::env::var_os("PATH"),
        }
    }
}
