//! What the user asks for: a place on disk, an image of the engine, or a name in a registry.

use std::path::{Path, PathBuf};

use crate::failure::{ReadCode, ReadFailure};

/// Where an image is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A path, with a tag where one was given.
    Path(PathBuf, Option<String>, Layout),
    /// An image of the engine.
    Engine(String),
    /// An image in a registry.
    Registry(RegistryName),
    /// An image by name: of the engine if it has it, else in a registry.
    Name(String, RegistryName),
}

/// What is to be at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Whatever is there.
    Any,
    /// An OCI layout.
    Oci,
    /// An archive.
    Archive,
    /// A root file system in a folder.
    Folder,
}

/// An image's name in a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegistryName {
    /// The registry as it is written, with its port: `docker.io` where none is.
    pub(crate) registry: String,
    /// The repository.
    pub(crate) repository: String,
    /// A tag, or a digest with its algorithm.
    pub(crate) version: String,
}

/// Schemes in front of a path.
const PATHS: [(&str, Layout); 5] = [
    ("oci:", Layout::Oci),
    ("oci-archive:", Layout::Archive),
    ("docker-archive:", Layout::Archive),
    ("tar:", Layout::Archive),
    ("dir:", Layout::Folder),
];
/// Schemes in front of an image of the engine.
const ENGINES: [&str; 2] = ["engine:", "docker-daemon:"];
/// Schemes in front of a name in a registry.
const REGISTRIES: [&str; 2] = ["registry:", "docker://"];
/// The longest name that registries take.
const MAX_NAME: usize = 255;

impl Reference {
    /// Reads a reference. `paths` says whether it may mean a place on disk.
    pub(crate) fn parse(text: &str, paths: bool) -> Result<Self, ReadFailure> {
        let after = |schemes: &[&str]| schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
        if text.trim() != text || text.is_empty() || text.chars().any(char::is_control) {
            return Err(invalid(text, "is empty or has white space around it"));
        }
        if paths {
            let path = PATHS.iter().find_map(|(scheme, layout)| {
                text.strip_prefix(scheme).map(|path| path_and_tag(path, *layout))
            });
            if let Some(path) = path {
                return Ok(path);
            }
            let is_path = text.starts_with(['/', '.']);
            if is_path || (text.contains(".tar") && Path::new(text).is_file()) {
                return Ok(path_and_tag(text, Layout::Any));
            }
            if let Some(name) = after(&ENGINES) {
                return Ok(Self::Engine(name.to_owned()));
            }
            if let Some(name) = after(&REGISTRIES) {
                return RegistryName::parse(name).map(Self::Registry);
            }
        }
        Ok(Self::Name(text.to_owned(), RegistryName::parse(text)?))
    }
}

/// A path as it is, or with a tag behind its last colon when only that makes it one that exists.
fn path_and_tag(text: &str, layout: Layout) -> Reference {
    let path = Path::new(text);
    if !path.exists()
        && let Some((front, tag)) = text.rsplit_once(':')
        && Path::new(front).exists()
    {
        return Reference::Path(front.into(), Some(tag.to_owned()), layout);
    }
    Reference::Path(path.to_owned(), None, layout)
}

impl RegistryName {
    /// Reads a name as the `docker` command does.
    pub(crate) fn parse(text: &str) -> Result<Self, ReadFailure> {
        let (name, digest) = match text.split_once('@') {
            Some((name, digest)) => (name, Some(digest)),
            None => (text, None),
        };
        if let Some(digest) = digest {
            let hex = digest.strip_prefix("sha256:").unwrap_or("");
            if hex.len() != 64 || !hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
                return Err(invalid(text, "has a digest that is not `sha256:` and 64 digits"));
            }
        }
        let (registry, rest) = match name.split_once('/') {
            Some((first, rest))
                if first.contains(['.', ':']) || first == "localhost" || has_upper(first) =>
            {
                (first, rest)
            }
            _ => ("docker.io", name),
        };
        let (repository, tag) = match rest.rsplit_once(':') {
            Some((repository, tag)) => (repository, Some(tag)),
            None => (rest, None),
        };
        let registry = if registry == "index.docker.io" { "docker.io" } else { registry };
        let repository = if registry == "docker.io" && !repository.contains('/') {
            format!("library/{repository}")
        } else {
            repository.to_owned()
        };
        if !is_registry(registry) {
            return Err(invalid(text, "names a registry that is no host"));
        }
        if !is_repository(&repository) {
            return Err(invalid(text, "has a repository that is no lower-case path"));
        }
        if tag.is_some_and(|tag| !is_tag(tag)) {
            return Err(invalid(text, "has a tag that is none"));
        }
        let version = digest.or(tag).unwrap_or("latest").to_owned();
        Ok(Self { registry: registry.to_owned(), repository, version })
    }

    /// The host that answers for the registry.
    pub(crate) fn host(&self) -> &str {
        if self.registry == "docker.io" { "registry-1.docker.io" } else { &self.registry }
    }

    /// Whether plain HTTP is spoken: a registry on this machine, as engines take it.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.registry.rsplit_once(':').map_or(self.registry.as_str(), |(host, _)| host);
        host == "localhost" || host == "[::1]" || {
            host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        }
    }

    /// Whether the version is a digest.
    pub(crate) fn is_digest(&self) -> bool {
        self.version.starts_with("sha256:")
    }

    /// The name in full.
    pub(crate) fn full(&self) -> String {
        let mark = if self.is_digest() { '@' } else { ':' };
        format!("{}/{}{mark}{}", self.registry, self.repository, self.version)
    }
}

fn has_upper(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn is_registry(host: &str) -> bool {
    let ok =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'[' | b']');
    !host.is_empty() && host.len() <= MAX_NAME && host.bytes().all(ok)
}

fn is_repository(path: &str) -> bool {
    let ok = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-');
    let edge = |byte: Option<u8>| byte.is_some_and(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9'));
    path.len() <= MAX_NAME
        && path.split('/').all(|part| {
            edge(part.bytes().next()) && edge(part.bytes().last()) && part.bytes().all(ok)
        })
}

fn is_tag(tag: &str) -> bool {
    let ok = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=128).contains(&tag.len()) && tag.bytes().all(ok) && !tag.starts_with(['.', '-'])
}

fn invalid(text: &str, what: &str) -> ReadFailure {
    let shown: String = text.chars().take(80).collect();
    ReadFailure::new(ReadCode::InvalidReference, format!("{shown:?} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_the_docker_command_reads_them() {
        let digest = format!("sha256:{}", "a".repeat(64));
        for (text, full) in [
            ("debian", "docker.io/library/debian:latest"),
            ("debian:bookworm", "docker.io/library/debian:bookworm"),
            ("owner/name", "docker.io/owner/name:latest"),
            ("ghcr.io/owner/name:1", "ghcr.io/owner/name:1"),
            ("localhost/a", "localhost/a:latest"),
            ("127.0.0.1:5000/debian:bookworm", "127.0.0.1:5000/debian:bookworm"),
            ("a.b/c/d/e", "a.b/c/d/e:latest"),
        ] {
            assert_eq!(RegistryName::parse(text).map(|name| name.full()), Ok(full.to_owned()));
        }
        let both = RegistryName::parse(&format!("debian:bookworm@{digest}")).unwrap();
        assert_eq!(both.full(), format!("docker.io/library/debian@{digest}"));
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in [
            "",
            " debian",
            "Debian",
            "a//b",
            "debian:",
            "debian:-x",
            "debian@sha256:1",
            "a/../b",
            "-x",
        ] {
            let failure = Reference::parse(text, true).map_err(|failure| failure.code);
            assert_eq!(failure, Err(ReadCode::InvalidReference), "{text:?}");
        }
    }
}
