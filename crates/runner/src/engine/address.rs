//! An engine's address, as Docker's client writes it.

use std::path::PathBuf;

/// Where an engine listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A Unix socket.
    Unix(PathBuf),
    /// `host:port` over TCP.
    Tcp(String),
}

impl Address {
    /// Reads `unix://…`, `tcp://…`, `http(s)://…` or an absolute path.
    ///
    /// # Errors
    /// In words, with the way out, when the address cannot be used.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.starts_with('/') {
            return Ok(Self::Unix(PathBuf::from(text)));
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err("no scheme; write unix:///path or tcp://host:port".to_owned());
        };
        match scheme {
            "unix" if rest.starts_with('/') => Ok(Self::Unix(PathBuf::from(rest))),
            "unix" => Err("a unix address needs an absolute path".to_owned()),
            "tcp" | "http" | "https" => tcp(rest.trim_end_matches('/'), scheme == "https"),
            "ssh" => Err(format!(
                "ssh is not spoken here; forward the socket with `ssh -nNT -L \
                 /tmp/docker.sock:/var/run/docker.sock {rest}` and use \
                 --host unix:///tmp/docker.sock"
            )),
            "npipe" => Err("named pipes are not spoken here; use the engine in WSL".to_owned()),
            other => Err(format!("unknown scheme {other}; write unix:///path or tcp://host:port")),
        }
    }
}

fn tcp(rest: &str, tls: bool) -> Result<Address, String> {
    if rest.is_empty() {
        return Err("no host name".to_owned());
    }
    if rest.contains('/') {
        return Err("a path behind the port is not supported".to_owned());
    }
    // `[::1]` and `[::1]:2375` both hold colons, so the port is what follows the last bracket.
    let after = rest.rfind(']').map_or(rest, |at| &rest[at..]);
    if after.contains(':') {
        return Ok(Address::Tcp(rest.to_owned()));
    }
    let port = if tls { 2376 } else { 2375 };
    Ok(Address::Tcp(format!("{rest}:{port}")))
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
            ("https://engine/", Ok(Address::Tcp("engine:2376".into()))),
            ("tcp://[::1]", Ok(Address::Tcp("[::1]:2375".into()))),
            ("unix://relative", Err("absolute path")),
            ("ssh://user@host", Err("ssh -nNT -L")),
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
}
