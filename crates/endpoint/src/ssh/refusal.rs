//! Why ssh, or what it ran on the other side, ended without a word from an engine; and the way out.

use super::Remote;

/// Longer words are cut.
const MAX_LINE: usize = 300;

/// What a line means. `{login}` stands for the command that a person would log in with.
struct Row {
    /// In a line of ssh or of a program over there.
    words: &'static str,
    advice: &'static str,
}

const fn row(words: &'static str, advice: &'static str) -> Row {
    Row { words, advice }
}

/// The first that fits counts. Where two lines of one failure fit, the telling one stands above.
const ROWS: [Row; 16] = [
    row(
        "REMOTE HOST IDENTIFICATION HAS CHANGED",
        "its host key is another than the known one: make sure that it is the same machine, then log in once with `{login}`",
    ),
    row(
        "Host key verification failed",
        "its host key is not known yet: log in once with `{login}`, and compare what it shows",
    ),
    row(
        "Permission denied (",
        "it does not accept the key: load one with ssh-add, or name it in ~/.ssh/config, until `{login}` asks nothing",
    ),
    row(
        "Too many authentication failures",
        "too many keys were offered: name the right one in ~/.ssh/config",
    ),
    row(
        "Could not resolve hostname",
        "there is no such host: look at the name, or at ~/.ssh/config",
    ),
    row("Connection refused", "no ssh server listens there: look at the host and its port"),
    row("timed out", "no ssh server answers there: look at the host, its port and the network"),
    row("No route to host", "there is no way to it: look at the host and the network"),
    row("Network is unreachable", "there is no way to it: look at the network"),
    // Docker from 28 on, before, and Podman behind Docker's name.
    row("unknown command: docker system dial-stdio", OLD),
    row("docker system COMMAND", OLD),
    row("unrecognized command", OLD),
    // bash, dash and busybox, fish.
    row("command not found", NO_DOCKER),
    row("docker: not found", NO_DOCKER),
    row("Unknown command: docker", NO_DOCKER),
    // Docker's client over there, about the socket.
    row(
        "permission denied",
        "its user may not use the engine there: add it to the group of the socket (docker)",
    ),
];

const OLD: &str = "its docker knows no `dial-stdio`: install Docker 18.09 or later there";
const NO_DOCKER: &str = "there is no `docker` command for its user: install Docker's client there (for Podman: podman-docker)";
const NO_ENGINE: &str =
    "no engine listens there: start it, or name its socket: ssh://host/path/to/docker.sock";

/// Why, in one line.
pub(super) fn in_words(remote: &Remote, status: Option<i32>, said: &str) -> String {
    let login = remote.login();
    let known = ROWS.iter().find_map(|row| {
        let line = said.lines().find(|line| line.contains(row.words))?;
        Some((line, row.advice))
    });
    let dial =
        || said.lines().find(|line| line.contains("dial unix")).map(|line| (line, NO_ENGINE));
    if let Some((line, advice)) = known.or_else(dial) {
        let advice = advice.replace("{login}", &login);
        // The banner of that row is decoration.
        let line = line.trim_matches(|c: char| c == '@' || c.is_whitespace());
        return format!("{advice}; ssh says: {}", plain(line));
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    match (last, status) {
        (Some(line), _) => format!("ssh says: {}; try `{login} docker version`", plain(line)),
        (None, Some(0)) => {
            format!("`docker system dial-stdio` ended at once; try `{login} docker version`")
        }
        (None, Some(status)) => {
            format!("ssh ended with status {status}; try `{login} docker version`")
        }
        (None, None) => format!("ssh was ended; try `{login} docker version`"),
    }
}

/// A line of somebody else's program, fit to be shown.
fn plain(line: &str) -> String {
    let line = line.trim().chars().take(MAX_LINE);
    line.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: i32, said: &str) -> String {
        let remote = Remote::parse("me@engine:2222").expect("an address");
        in_words(&remote, Some(status), said)
    }

    /// Lines as OpenSSH 9.2, Docker 20.10 and 28 and their shells wrote them.
    #[test]
    fn each_refusal_has_its_way_out() {
        let changed = "@@@@@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@@@@@@@@\nHost key verification failed.\n";
        for (status, said, part) in [
            (255, changed, "make sure that it is the same machine"),
            (
                255,
                "Host key verification failed.\r\n",
                "log in once with `ssh -l me -p 2222 engine`",
            ),
            (255, "me@engine: Permission denied (publickey,keyboard-interactive).", "ssh-add"),
            (
                255,
                "ssh: Could not resolve hostname engine: Name or service not known",
                "no such host",
            ),
            (
                255,
                "ssh: connect to host engine port 2222: Connection refused",
                "no ssh server listens",
            ),
            (
                255,
                "ssh: connect to host engine port 2222: Connection timed out",
                "no ssh server answers",
            ),
            (127, "bash: line 1: docker: command not found", "no `docker` command"),
            (127, "sh: 1: docker: not found", "no `docker` command"),
            (
                1,
                "docker: unknown command: docker system dial-stdio\n\nUsage:  docker system\n",
                "18.09",
            ),
            (1, "\nUsage:\tdocker system COMMAND\n\nManage Docker\n", "18.09"),
            (
                1,
                "failed to open the raw stream connection: dial unix /var/run/docker.sock: connect: permission denied",
                "group",
            ),
            (
                1,
                "failed to open the raw stream connection: dial unix /x: connect: no such file or directory",
                "no engine listens there",
            ),
            (
                1,
                "something\nnever seen\n\n",
                "ssh says: never seen; try `ssh -l me -p 2222 engine docker version`",
            ),
            (3, "", "status 3"),
            (0, "", "ended at once"),
        ] {
            let words = of(status, said);
            assert!(words.contains(part), "{said}: {words}");
            assert!(!words.contains('\n') && !words.contains('\r'), "{words:?}");
        }
    }

    #[test]
    fn a_hostile_line_is_cut_and_plain() {
        let words = of(1, &format!("\u{1b}[2J\u{7}{}", "x".repeat(100_000)));
        assert!(words.len() < 500 && !words.contains('\u{1b}'), "{words}");
    }
}
