//! A reference in the two halves that an engine's pull wants.

/// What to pull: never a whole repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The repository, with its registry where the reference names one.
    pub(crate) repository: String,
    /// A tag, or `sha256:…`.
    pub(crate) version: String,
}

impl Reference {
    /// Splits a reference. The grammar is the planner's business; this only finds the halves.
    pub(crate) fn split(text: &str) -> Self {
        let (name, digest) = match text.split_once('@') {
            Some((name, digest)) => (name, Some(digest)),
            None => (text, None),
        };
        // A colon before the last slash belongs to the registry's port.
        let after = name.rfind('/').map_or(0, |at| at + 1);
        let (repository, tag) = match name[after..].find(':') {
            Some(at) => (&name[..after + at], Some(&name[after + at + 1..])),
            None => (name, None),
        };
        // Without either, an engine's API pulls every tag of the repository.
        let version = digest.or(tag).unwrap_or("latest");
        Self { repository: repository.to_owned(), version: version.to_owned() }
    }

    /// The whole, as an engine's API names a local image.
    pub(crate) fn name(&self) -> String {
        let Self { repository, version } = self;
        let mark = if version.contains(':') { '@' } else { ':' };
        format!("{repository}{mark}{version}")
    }

    /// The registry's host.
    pub(crate) fn registry(&self) -> &str {
        match self.repository.split_once('/') {
            // Docker's rule: the first part is a host when it looks like one.
            Some((first, _)) if first.contains(['.', ':']) || first == "localhost" => match first {
                "index.docker.io" | "registry-1.docker.io" => "docker.io",
                host => host,
            },
            _ => "docker.io",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_split_and_never_without_a_version() {
        for (text, repository, version, registry) in [
            ("debian", "debian", "latest", "docker.io"),
            ("debian:bookworm", "debian", "bookworm", "docker.io"),
            ("127.0.0.1:5000/debian", "127.0.0.1:5000/debian", "latest", "127.0.0.1:5000"),
            ("localhost/a/b:1", "localhost/a/b", "1", "localhost"),
            ("ghcr.io/a/b:1@sha256:ab", "ghcr.io/a/b", "sha256:ab", "ghcr.io"),
            ("library/debian@sha256:ab", "library/debian", "sha256:ab", "docker.io"),
        ] {
            let found = Reference::split(text);
            assert_eq!((found.repository.as_str(), found.version.as_str()), (repository, version));
            assert_eq!(found.registry(), registry, "{text}");
        }
        assert_eq!(Reference::split("a/b:1@sha256:ab").name(), "a/b@sha256:ab");
        assert_eq!(Reference::split("a/b").name(), "a/b:latest");
    }
}
