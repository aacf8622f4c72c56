//! An ssh server on loopback, with keys of its own: the way to "another machine" that is this one.

use std::ffi::OsString;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The server, running. Dropped, it ends.
#[derive(Debug)]
pub(crate) struct Sshd {
    process: Child,
    folder: TempDir,
    port: u16,
}

impl Sshd {
    /// Starts one whose sessions have `variables` in their environment.
    pub(crate) fn start(variables: &[(&str, &str)]) -> Result<Self, String> {
        let program = std::env::var("DRYDOCK_TEST_SSHD")
            .map_err(|_| "DRYDOCK_TEST_SSHD is not set: run `cargo xtask test`")?;
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        for name in ["host", "user", "stranger"] {
            key(&folder.path().join(name))?;
        }
        // Another's test may take the port in between; then this one fails to start, and is told.
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        drop(listener);
        let set: Vec<_> = variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let at = folder.path().display();
        let config = format!(
            "ListenAddress 127.0.0.1:{port}\nHostKey {at}/host\nAuthorizedKeysFile {at}/user.pub\n\
             StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             PidFile none\nMaxStartups 100\nSetEnv {}\n",
            set.join(" ")
        );
        let file = folder.path().join("sshd_config");
        fs::write(&file, config).map_err(|error| error.to_string())?;
        let log = folder.path().join("log");
        let process = Command::new(program)
            .args(["-D", "-E"])
            .arg(&log)
            .arg("-f")
            .arg(file)
            .stdin(Stdio::null())
            .spawn()
            .map_err(|error| format!("sshd does not start: {error}"))?;
        let mut sshd = Self { process, folder, port };
        sshd.wait()
            .map_err(|error| format!("{error}\n{}", fs::read_to_string(log).unwrap_or_default()))?;
        Ok(sshd)
    }

    fn wait(&mut self) -> Result<(), String> {
        let end = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Err(format!("sshd ended: {status}"));
            }
            if Instant::now() > end {
                return Err("sshd does not answer".to_owned());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Its address.
    pub(crate) fn host(&self) -> String {
        format!("ssh://127.0.0.1:{}", self.port)
    }

    /// A `PATH` whose `ssh` offers the key `key`, and knows the host by the key `known`.
    ///
    /// OpenSSH takes its configuration from the account's home, whatever `HOME` says, so that another
    /// one can only be given in its arguments.
    pub(crate) fn path(&self, key: &str, known: Option<&str>) -> Result<OsString, String> {
        let name = format!("{key}-{}", known.unwrap_or("nobody"));
        let folder = self.folder.path().join(&name);
        let written = fs::create_dir_all(&folder).and_then(|()| {
            let at = self.folder.path().display();
            let public = known
                .map(|known| fs::read_to_string(self.folder.path().join(format!("{known}.pub"))));
            let line = public.transpose()?.map(|key| format!("[127.0.0.1]:{} {key}", self.port));
            fs::write(folder.join("known_hosts"), line.unwrap_or_default())?;
            let config = format!(
                "IdentityFile {at}/{key}\nIdentitiesOnly yes\nIdentityAgent none\n\
                 GlobalKnownHostsFile /dev/null\nUserKnownHostsFile {at}/{name}/known_hosts\n"
            );
            fs::write(folder.join("config"), config)?;
            let ssh = program("ssh").unwrap_or_default();
            let script =
                format!("#!/bin/sh\nexec {} -F {at}/{name}/config \"$@\"\n", ssh.display());
            fs::write(folder.join("ssh"), script)?;
            fs::set_permissions(folder.join("ssh"), fs::Permissions::from_mode(0o755))
        });
        written.map_err(|error| error.to_string())?;
        let old = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(folder).chain(std::env::split_paths(&old));
        std::env::join_paths(all).map_err(|error| error.to_string())
    }

    /// The clients that still speak to it: process and command.
    pub(crate) fn clients(&self) -> Vec<(u32, String)> {
        let port = format!("-p\0{}\0", self.port);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = processes.filter_map(|process| {
            let line = fs::read(process.path().join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).into_owned();
            Some((process.file_name().to_str()?.parse().ok()?, line))
        });
        let ours = lines.filter(|(_, line)| line.contains(&port));
        ours.map(|(process, line)| (process, line.replace('\0', " "))).collect()
    }

    /// Ends it, and every connection through it.
    pub(crate) fn cut(self) -> Result<(), String> {
        let clients = self.clients();
        drop(self);
        for (process, _) in clients {
            let kill = format!("kill -KILL {process}");
            Command::new("sh").args(["-c", &kill]).status().map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn key(file: &Path) -> Result<(), String> {
    let made =
        Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(file).status();
    let made = made.map_err(|error| format!("ssh-keygen: {error}"))?;
    made.success().then_some(()).ok_or_else(|| "ssh-keygen failed".to_owned())
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
