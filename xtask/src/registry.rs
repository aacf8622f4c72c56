//! The loopback registry: Debian's, on a free port. Its blobs are kept, so that the bases are built once.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::command::command;
use crate::{http, paths, process};

/// A registry that answers.
#[derive(Clone, Debug)]
pub(crate) struct Registry {
    port: u16,
}

impl Registry {
    /// Starts it.
    pub(crate) fn start() -> Result<Self> {
        // Nothing holds the port between here and the registry's own bind; a clash shows as a registry that ends.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        fs::create_dir_all(folder())?;
        let config = folder().join("config.yml");
        fs::write(&config, configuration(port))?;
        let log = File::create(folder().join("log"))?;
        let mut process = command("docker-registry", ["serve"])
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .context("cannot start docker-registry")?;
        let registry = Self { port };
        let end = Instant::now() + Duration::from_secs(15);
        while !registry.answers() {
            if let Some(status) = process.try_wait()? {
                bail!(
                    "docker-registry ended: {status}; its log is {}",
                    folder().join("log").display()
                );
            }
            if Instant::now() > end {
                bail!("docker-registry did not answer in 15 seconds");
            }
            sleep(Duration::from_millis(20));
        }
        Ok(registry)
    }

    /// The one that `up` left running at `address`, if it still answers.
    pub(crate) fn running(address: &str) -> Option<Self> {
        let port = address.rsplit(':').next()?.parse().ok()?;
        let registry = Self { port };
        registry.answers().then_some(registry)
    }

    /// `host:port`.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The port of its loopback address.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    fn answers(&self) -> bool {
        http::get_loopback(self.port, "/v2/", Duration::from_secs(2))
            .is_ok_and(|status| status == 200)
    }
}

/// Stops it, and a left-over one of a killed chore.
pub(crate) fn stop() -> Result<()> {
    process::end_all_of(None, &folder())
}

/// What was noted about `key` beside the blobs.
pub(crate) fn stamp(key: &str) -> Option<String> {
    fs::read_to_string(folder().join("stamps").join(key)).ok()
}

/// Notes `text` about `key`.
pub(crate) fn write_stamp(key: &str, text: &str) -> Result<()> {
    let stamps = folder().join("stamps");
    fs::create_dir_all(&stamps)?;
    Ok(fs::write(stamps.join(key), text)?)
}

/// The registry's folder; its name marks the registry's process as ours.
fn folder() -> PathBuf {
    paths::cache().join("registry")
}

fn configuration(port: u16) -> String {
    let storage = folder().join("blobs");
    // In JSON, which is YAML, a path with odd characters needs no thought.
    format!(
        "{{\"version\": 0.1, \"storage\": {{\"filesystem\": {{\"rootdirectory\": {storage:?}}}}}, \
         \"http\": {{\"addr\": \"127.0.0.1:{port}\"}}, \"log\": {{\"level\": \"warn\"}}}}\n"
    )
}
