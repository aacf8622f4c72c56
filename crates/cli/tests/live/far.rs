//! The same engine from afar: through an ssh server, and through TLS. What is said must be the same, and
//! nothing that is on this machine's disk may be taken for the engine's.

#[path = "../../../endpoint/tests/tls/front.rs"]
mod front;
mod sshd;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::engine::{Afar, Engine};
use crate::fixture::{Base, Fixture};
use crate::stop;
use front::Authority;
use sshd::Sshd;

/// A way to the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An ssh server, whose Docker client knows the socket.
    Ssh,
    /// An ssh server, with the socket in the address.
    SshPath,
    /// TLS, with certificates on both sides.
    Tls,
}

/// The ways on which fixtures run.
pub(crate) const WAYS: [(&str, Kind); 2] = [("ssh", Kind::Ssh), ("tls", Kind::Tls)];

/// The fixtures that run on them: one that passes, one that fails in the build, one that its base refuses.
pub(crate) const FIXTURES: [(&str, Base); 4] = [
    ("known-good", Base::ReadFirst),
    ("known-good", Base::Built),
    ("failing-setup", Base::Built),
    ("alpine", Base::ReadFirst),
];

type Test = fn(&Engine) -> Result<(), String>;

/// Tests for which the builder does not matter.
pub(crate) const TESTS: [(&str, Test); 4] = [
    ("inspect-from-afar", inspect),
    ("contexts", contexts),
    ("ssh-refusals", refusals),
    ("ssh-hostile-addresses", hostile_addresses),
];

/// A way to the engine, open.
struct Way {
    afar: Afar,
    sshd: Option<Sshd>,
    /// Certificates, and what is kept of images: by this way alone they are to be read.
    _folders: Vec<TempDir>,
}

impl Way {
    fn open(kind: Kind, engine: &Engine) -> Result<Self, String> {
        let cache = TempDir::new().map_err(|error| error.to_string())?;
        let kept = ("XDG_CACHE_HOME", cache.path().into());
        match kind {
            Kind::Ssh | Kind::SshPath => {
                let by_path = matches!(kind, Kind::SshPath);
                let there = if by_path { "unix:///nonexistent" } else { &engine.host };
                let sshd = Sshd::start(&[("DOCKER_HOST", there)])?;
                let path = if by_path { socket(engine) } else { "" };
                let variables = vec![("PATH", sshd.path("user", Some("host"))?), kept];
                let host = format!("{}{path}", sshd.host());
                let afar = Afar { host, variables };
                Ok(Self { afar, sshd: Some(sshd), _folders: vec![cache] })
            }
            Kind::Tls => {
                let opened = Authority::new("tests").and_then(|authority| {
                    let address = authority.front(Path::new(socket(engine)), "127.0.0.1", 2090)?;
                    Ok((address, authority.folder(&authority)?))
                });
                let (address, files) = opened.map_err(|error| error.to_string())?;
                let variables = vec![
                    ("DOCKER_TLS_VERIFY", "1".into()),
                    ("DOCKER_CERT_PATH", files.path().into()),
                    kept,
                ];
                let afar = Afar { host: format!("tcp://{address}"), variables };
                Ok(Self { afar, sshd: None, _folders: vec![cache, files] })
            }
        }
    }

    /// The engine by this way.
    fn engine(&self, engine: &Engine) -> Engine {
        let mut by = engine.clone();
        by.afar = Some(self.afar.clone());
        by
    }

    /// Programs of ours that are still under way, though whoever started them has ended.
    fn left(&self) -> Result<(), String> {
        let Some(sshd) = &self.sshd else { return Ok(()) };
        let end = Instant::now() + Duration::from_secs(5);
        while !sshd.clients().is_empty() {
            if Instant::now() > end {
                return Err(format!("left: {:?}", sshd.clients()));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

fn socket(engine: &Engine) -> &str {
    engine.host.trim_start_matches("unix://")
}

/// Runs a fixture by a way.
pub(crate) fn check(
    kind: Kind,
    engine: &Engine,
    fixture: &str,
    builder: &str,
    base: Base,
) -> Result<(), String> {
    let way = Way::open(kind, engine)?;
    Fixture::named(fixture)?.check(&way.engine(engine), builder, base)?;
    way.left()
}

/// Runs a test of stopping by a way.
pub(crate) fn stop(
    kind: Kind,
    engine: &Engine,
    test: fn(&Engine, &'static str) -> Result<(), String>,
    builder: &'static str,
) -> Result<(), String> {
    let way = Way::open(kind, engine)?;
    test(&way.engine(engine), builder)?;
    way.left()
}

/// Cuts the way to the engine in the middle of a step.
pub(crate) fn cut(engine: &Engine, builder: &'static str) -> Result<(), String> {
    let way = Way::open(Kind::Ssh, engine)?;
    let by = way.engine(engine);
    stop::cut_off(&by, engine, builder, || way.sshd.ok_or("no server")?.cut())
}

/// What `drydock inspect` says of a base of the engine.
fn inspected(engine: &Engine, base: &str) -> Result<Value, String> {
    let output = run(engine.drydock("inspect").args(["--json", &format!("engine:{base}")]))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn inspect(engine: &Engine) -> Result<(), String> {
    for base in [engine.base("debian"), engine.base("musl")] {
        engine.docker(&["pull", "--quiet", &base])?;
        let here = inspected(engine, &base)?;
        for kind in [Kind::Ssh, Kind::SshPath, Kind::Tls] {
            let way = Way::open(kind, engine)?;
            let there = inspected(&way.engine(engine), &base)?;
            for part in ["verdict", "level", "marker", "checks", "bootstrap"] {
                if here[part] != there[part] || here[part].is_null() != there[part].is_null() {
                    return Err(format!(
                        "{kind:?} {base} {part}: {}, not {}",
                        there[part], here[part]
                    ));
                }
            }
            // The layers' folders are on this disk, and are those of another machine for all that we know.
            let read = there["reading"]["not_verified"].to_string();
            if !read.contains("through its API") {
                return Err(format!("{kind:?} {base}: {read}"));
            }
            way.left()?;
        }
    }
    Ok(())
}

/// Contexts as Docker's own client stores them.
fn contexts(engine: &Engine) -> Result<(), String> {
    for kind in [Kind::SshPath, Kind::Tls] {
        let way = Way::open(kind, engine)?;
        let config = TempDir::new().map_err(|error| error.to_string())?;
        let mut endpoint = format!("host={}", way.afar.host);
        if let Some((_, folder)) =
            way.afar.variables.iter().find(|(name, _)| *name == "DOCKER_CERT_PATH")
        {
            let folder = folder.to_string_lossy();
            endpoint += &format!(",ca={folder}/ca.pem,cert={folder}/cert.pem,key={folder}/key.pem");
        }
        let mut create = Command::new("docker");
        create.args(["context", "create", "afar", "--docker", &endpoint]);
        let created = run(create.env("DOCKER_CONFIG", config.path()).env_remove("DOCKER_HOST"))?;
        if !created.status.success() {
            return Err(String::from_utf8_lossy(&created.stderr).into_owned());
        }
        let mut clean = Command::new(env!("CARGO_BIN_EXE_drydock"));
        clean.args(["clean", "--json"]).envs(way.afar.variables.clone());
        for inherited in ["DOCKER_HOST", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH"] {
            clean.env_remove(inherited);
        }
        clean.env("DOCKER_CONFIG", config.path()).env("DOCKER_CONTEXT", "afar");
        let cleaned = run(&mut clean)?;
        if !cleaned.status.success() {
            return Err(format!("{kind:?}: {}", String::from_utf8_lossy(&cleaned.stderr)));
        }
    }
    Ok(())
}

/// What is said, with status 69, when ssh leads to no engine. None of it may ask a question.
fn refusals(engine: &Engine) -> Result<(), String> {
    let sshd = Sshd::start(&[("DOCKER_HOST", &engine.host)])?;
    let bare = TempDir::new().map_err(|error| error.to_string())?;
    let bare_path = bare.path().display().to_string();
    let without_docker = Sshd::start(&[("PATH", &bare_path)])?;
    let good = sshd.path("user", Some("host"))?;
    let host = sshd.host();
    for (host, path, part) in [
        (host.clone(), sshd.path("user", None)?, "log in once with `ssh -p"),
        (
            host.clone(),
            sshd.path("user", Some("stranger"))?,
            "make sure that it is the same machine",
        ),
        (host.clone(), sshd.path("stranger", Some("host"))?, "ssh-add"),
        (host.clone(), bare_path.clone().into(), "there is no `ssh` program"),
        (format!("{host}/nonexistent.sock"), good.clone(), "no engine listens there"),
        ("ssh://127.0.0.1:1".to_owned(), good, "no ssh server listens there"),
        (
            without_docker.host(),
            without_docker.path("user", Some("host"))?,
            "there is no `docker` command",
        ),
    ] {
        refused(&host, &path, part)?;
    }
    Ok(())
}

/// Addresses that would be options of ssh, or words of a shell over there.
fn hostile_addresses(_: &Engine) -> Result<(), String> {
    let folder = TempDir::new().map_err(|error| error.to_string())?;
    let file = folder.path().join("touched").display().to_string();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for (host, part) in [
        (format!("ssh://-oProxyCommand=touch${{IFS}}{file}"), "is no host name"),
        (format!("ssh://-oProxyCommand=touch {file}@127.0.0.1"), "is no host name"),
        ("ssh://-oProxyCommand=id@127.0.0.1".to_owned(), "is no user name"),
        (format!("ssh://127.0.0.1/run/$(touch {file})"), "given to a shell"),
        ("ssh://me:hunter2@127.0.0.1".to_owned(), "give ssh a key"),
    ] {
        refused(&host, &path, part)?;
    }
    (!Path::new(&file).exists()).then_some(()).ok_or_else(|| "a command was run".to_owned())
}

fn refused(host: &str, path: &OsString, part: &str) -> Result<(), String> {
    let cache = TempDir::new().map_err(|error| error.to_string())?;
    let mut clean = Command::new(env!("CARGO_BIN_EXE_drydock"));
    clean.args(["clean", "--host", host]).env("PATH", path).env("XDG_CACHE_HOME", cache.path());
    let output = run(&mut clean)?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(69) || !said.contains(part) || said.contains("hunter2") {
        return Err(format!("{host}: {}: wanted {part:?}, got {said}", output.status));
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|error| format!("{command:?}: {error}"))
}
