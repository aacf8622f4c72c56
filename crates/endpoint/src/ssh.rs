//! Another machine's engine by way of its ssh server: for each connection, `ssh` runs `docker system
//! dial-stdio` there, as Docker's own client does it.

mod refusal;

use std::io;
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;
use tokio::process::{ChildStderr, Command};

use crate::stream::Stream;

/// Set whatever the user's configuration says, which decides everything else.
const OPTIONS: [&str; 6] = [
    // Nobody can answer: a question would wait for ever.
    "BatchMode=yes",
    "ConnectTimeout=10",
    // One that is open already is used. None is opened: it would end with our connection, and with it
    // whatever else of the user's runs through it.
    "ControlMaster=no",
    // What the configuration wants for a person at a prompt is not for us.
    "ClearAllForwardings=yes",
    "RemoteCommand=none",
    "LogLevel=ERROR",
];
/// As much of what ssh and the other side's programs say is kept (8 KiB, the last).
const MAX_WORDS: usize = 8 << 10;
/// How long is waited for words when their program has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// An account on another machine, and the socket of its engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remote {
    user: Option<String>,
    host: String,
    port: Option<u16>,
    /// Where the engine listens; else its client knows.
    socket: Option<String>,
}

impl Remote {
    /// Reads what follows `ssh://`: `[user@]host[:port][/path/to/docker.sock]`.
    ///
    /// Every part becomes a word of a command here, and the path one of a command line there. So each
    /// must be made of characters that mean nothing to a shell, and not look like an option.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (authority, path) = text.find('/').map_or((text, ""), |at| text.split_at(at));
        let (user, place) =
            authority.rsplit_once('@').map_or((None, authority), |(user, rest)| (Some(user), rest));
        if user.is_some_and(|user| user.contains(':')) {
            return Err(
                "a password in an address can be read by everybody; give ssh a key".to_owned()
            );
        }
        let (host, port) = host_and_port(place)?;
        if host.is_empty() {
            return Err("no host name; write ssh://user@host".to_owned());
        }
        let alias = "name it by an alias in ~/.ssh/config";
        if !is_word(host, "._-:%") {
            return Err(format!("{host:?} is no host name that is given to ssh; {alias}"));
        }
        if let Some(user) = user.filter(|user| !is_word(user, "._-+@")) {
            return Err(format!("{user:?} is no user name that is given to ssh; {alias}"));
        }
        let socket = Some(path.trim_end_matches('/')).filter(|path| !path.is_empty());
        if let Some(path) = socket.filter(|path| !is_word(path, "/._-+@:=")) {
            return Err(format!(
                "{path:?} is given to a shell over there; use a link to it without such characters"
            ));
        }
        Ok(Self {
            user: user.map(str::to_owned),
            host: host.to_owned(),
            port,
            socket: socket.map(str::to_owned),
        })
    }

    /// A connection. Whether it leads anywhere shows when something is read from it.
    pub(crate) fn open(&self) -> io::Result<Stream> {
        // One socket for both directions: closing one of them alone is then heard on the other side.
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut command = self.command();
        command.stdin(OwnedFd::from(theirs.try_clone()?)).stdout(OwnedFd::from(theirs));
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::other(
                "there is no `ssh` program; install OpenSSH's client (Debian: openssh-client)",
            ),
            _ => error,
        })?;
        // It holds the other end, and the connection would never end.
        drop(command);
        let words = child.stderr.take().map(|stderr| tokio::spawn(last_words(stderr)));
        let remote = self.clone();
        let end = async move {
            let status = child.wait().await.ok();
            let words = match words {
                Some(words) => tokio::time::timeout(LAST_WORDS, words).await.ok(),
                None => None,
            };
            let words = words.and_then(Result::ok).unwrap_or_default();
            refusal::in_words(&remote, status.and_then(|status| status.code()), &words)
        };
        Ok(Stream::new(UnixStream::from_std(ours)?).carried(Box::pin(end)))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("ssh");
        command.arg("-T");
        for option in OPTIONS {
            command.args(["-o", option]);
        }
        for (flag, value) in self.flags() {
            command.args([flag, &value]);
        }
        command.args(["--", &self.host, "docker"]);
        command.args(self.socket.iter().map(|path| format!("--host=unix://{path}")));
        command.args(["system", "dial-stdio"]);
        command.stderr(Stdio::piped()).kill_on_drop(true);
        // Ctrl-C is for us, who then clean up by way of it.
        command.process_group(0);
        command
    }

    fn flags(&self) -> impl Iterator<Item = (&'static str, String)> {
        let user = self.user.iter().map(|user| ("-l", user.clone()));
        user.chain(self.port.iter().map(|port| ("-p", port.to_string())))
    }

    /// The command that a person would log in with.
    fn login(&self) -> String {
        let flags: String = self.flags().map(|(flag, value)| format!("{flag} {value} ")).collect();
        format!("ssh {flags}{}", self.host)
    }
}

/// `host`, `host:port`, `[v6]` or `[v6]:port`.
fn host_and_port(place: &str) -> Result<(&str, Option<u16>), String> {
    let (host, port) = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, Some(rest.strip_prefix(':').unwrap_or(rest))),
        None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
    };
    let number = |port: &str| port.parse().map_err(|_| format!("{port:?} is no port"));
    Ok((host, port.map(number).transpose()?))
}

/// Whether a text is some letters, digits and `others`, and does not begin as an option does.
fn is_word(text: &str, others: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

/// What a program says to its end, as far as it may be kept.
async fn last_words(mut stderr: ChildStderr) -> String {
    let mut words = Vec::new();
    let mut chunk = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut chunk).await {
        words.extend_from_slice(&chunk[..read]);
        words.drain(..words.len().saturating_sub(MAX_WORDS));
    }
    String::from_utf8_lossy(&words).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &Command) -> Vec<String> {
        let words = command.as_std().get_args();
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn addresses_become_commands() {
        for (address, expected) in [
            ("host", "-- host docker system dial-stdio"),
            ("me@host/", "-l me -- host docker system dial-stdio"),
            (
                "me@host:2222/run/user/1000/docker.sock",
                "-l me -p 2222 -- host docker --host=unix:///run/user/1000/docker.sock system dial-stdio",
            ),
            ("[fe80::1%eth0]:22", "-p 22 -- fe80::1%eth0 docker system dial-stdio"),
            ("me@corp@host", "-l me@corp -- host docker system dial-stdio"),
        ] {
            let words = words(&Remote::parse(address).expect(address).command());
            assert_eq!(words[1 + 2 * OPTIONS.len()..].join(" "), expected, "{address}");
        }
    }

    #[test]
    fn what_would_mean_something_to_ssh_or_a_shell_is_refused() {
        for (address, part) in [
            ("-oProxyCommand=touch x", "is no host name"),
            ("me@-oProxyCommand=x", "is no host name"),
            ("-oProxyCommand=x@host", "is no user name"),
            ("$(touch x)@host", "is no user name"),
            ("host;touch", "is no host name"),
            ("host\nx", "is no host name"),
            ("host/run/a;touch x", "given to a shell"),
            ("host/run/$(touch x)", "given to a shell"),
            ("host/run/a?query", "given to a shell"),
            ("host:22x", "is no port"),
            ("host:-oX", "is no port"),
            ("host:99999", "is no port"),
            ("me:secret@host", "password"),
            ("@host", "is no user name"),
            ("", "no host name"),
            ("me@", "no host name"),
            ("/run/x", "no host name"),
        ] {
            let Err(error) = Remote::parse(address) else { panic!("{address} is taken") };
            assert!(error.contains(part) && !error.contains("secret"), "{address}: {error}");
        }
    }
}
