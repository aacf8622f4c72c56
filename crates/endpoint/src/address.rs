//! An engine's address, as Docker's client writes it.

use std::path::PathBuf;

use crate::ssh::Remote;

/// Where an engine listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A Unix socket.
    Unix(PathBuf),
    /// `host:port` over TCP.
    Tcp(String),
    /// `host:port` over TCP, and TLS is a must.
    Https(String),
    /// Another machine's socket, by way of its ssh server.
    Ssh(Remote),
}

impl Address {
    /// Reads `unix://…`, `tcp://…`, `http(s)://…`, `ssh://…` or an absolute path.
    ///
    /// # Errors
    /// In words, with the way out, when the address cannot be used.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.starts_with('/') {
            return Ok(Self::Unix(PathBuf::from(text)));
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err("no scheme; write unix:///path, tcp://host:port or ssh://host".to_owned());
        };
        match scheme {
            "unix" if rest.starts_with('/') => Ok(Self::Unix(PathBuf::from(rest))),
            "unix" => Err("a unix address needs an absolute path".to_owned()),
            "tcp" | "http" => authority(rest, 2375).map(Self::Tcp),
            "https" => authority(rest, 2376).map(Self::Https),
            "ssh" => Remote::parse(rest).map(Self::Ssh),
            "npipe" => Err("named pipes are not spoken here; use the engine in WSL".to_owned()),
            other => Err(format!(
                "unknown scheme {other}; write unix:///path, tcp://host:port or ssh://host"
            )),
        }
    }
}

/// `host:port`, with the usual port where none is written.
fn authority(rest: &str, port: u16) -> Result<String, String> {
    let rest = rest.trim_end_matches('/');
    if rest.is_empty() {
        return Err("no host name".to_owned());
    }
    if rest.contains('/') {
        return Err("a path behind the port is not supported".to_owned());
    }
    // `[::1]` and `[::1]:2375` both hold colons, so the port is what follows the last bracket.
    let after = rest.rfind(']').map_or(rest, |at| &rest[at..]);
    Ok(if after.contains(':') { rest.to_owned() } else { format!("{rest}:{port}") })
}

/// An address as it may be shown: who wrote a password into it need not see it in a log.
pub(crate) fn without_password(host: &str) -> String {
    let start = host.find("://").map_or(0, |at| at + 3);
    let end = host[start..].find('/').map_or(host.len(), |at| start + at);
    match host[start..end].rsplit_once('@') {
        Some((user, name)) if user.contains(':') => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{}{user}:***@{name}{}", &host[..start], &host[end..])
        }
        _ => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_docker_reads_them() {
        for (text, expected) in [
            ("unix:///var/run/docker.sock", Ok(Address::Unix("/var/run/docker.sock".into()))),
            ("/run/x.sock", Ok(Address::Unix("/run/x.sock".into()))),
            ("tcp://10.0.0.1:2375", Ok(Address::Tcp("10.0.0.1:2375".into()))),
            ("tcp://engine", Ok(Address::Tcp("engine:2375".into()))),
            ("https://engine/", Ok(Address::Https("engine:2376".into()))),
            ("tcp://[::1]", Ok(Address::Tcp("[::1]:2375".into()))),
            ("unix://relative", Err("absolute path")),
            ("ssh://", Err("no host name")),
            ("tcp://", Err("no host name")),
            ("docker.sock", Err("no scheme")),
        ] {
            match (Address::parse(text), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
                (Err(found), Err(part)) => assert!(found.contains(part), "{text}: {found}"),
                (found, expected) => panic!("{text}: {found:?}, expected {expected:?}"),
            }
        }
    }

    #[test]
    fn a_password_is_not_shown() {
        for (host, shown) in [
            ("ssh://me:secret@engine/x", "ssh://me:***@engine/x"),
            ("ssh://me:se@cret@engine", "ssh://me:***@engine"),
            ("me:secret@engine", "me:***@engine"),
            ("ssh://me@engine:22/x@y:z", "ssh://me@engine:22/x@y:z"),
            ("unix:///run/a:b@c.sock", "unix:///run/a:b@c.sock"),
        ] {
            assert_eq!(without_password(host), shown);
        }
    }
}
