//! TLS with what listens there: who is trusted, who we are, and what is said when either is wrong.

#![expect(clippy::unwrap_used, reason = "a test's own set-up fails by panicking")]

mod front;

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;
use std::path::Path;

use endpoint::{EngineEnvironment, Search};
use front::Authority;
use tempfile::TempDir;

/// A socket at which every call is answered as an engine answers `/_ping`.
fn engine(folder: &Path) -> std::path::PathBuf {
    let socket = folder.join("engine.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        for mut call in listener.incoming().flatten() {
            drop(call.read(&mut [0; 1024]));
            let answer = b"HTTP/1.1 200 OK\r\nApi-Version: 1.51\r\nContent-Length: 2\r\n\r\nOK";
            drop(call.write_all(answer));
        }
    });
    socket
}

/// What comes of looking for an engine at `host` with the certificates in `folder`.
fn found(host: &str, folder: Option<&Path>) -> Result<String, String> {
    let environment = EngineEnvironment {
        docker_tls_verify: folder.is_some(),
        docker_cert_path: folder.map(Path::to_owned),
        ..EngineEnvironment::default()
    };
    let search = Search { host: Some(host.to_owned()), environment };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let found = runtime.block_on(endpoint::find(&search, async |reached| {
        assert!(!reached.client.is_local(), "a path of another machine means nothing here");
        Ok(reached.ping.api.unwrap_or_default())
    }));
    found.map_err(|error| error.to_string())
}

#[test]
fn both_sides_show_who_they_are() {
    let folder = TempDir::new().unwrap();
    let authority = Authority::new("ours").unwrap();
    let address = authority.front(&engine(folder.path()), "127.0.0.1", 2090).unwrap();
    let files = authority.folder(&authority).unwrap();
    for scheme in ["tcp", "https"] {
        let said = found(&format!("{scheme}://{address}"), Some(files.path()));
        assert_eq!(said.as_deref(), Ok("1.51"), "{scheme}");
    }
}

#[test]
fn whatever_is_wrong_is_one_line_with_the_way_out() {
    let folder = TempDir::new().unwrap();
    let socket = engine(folder.path());
    let authority = Authority::new("ours").unwrap();
    let (other, renewed) = (Authority::new("other").unwrap(), Authority::new("ours").unwrap());
    let ours = authority.folder(&authority).unwrap();
    let good = authority.front(&socket, "127.0.0.1", 2090).unwrap();
    let expired = authority.front(&socket, "127.0.0.1", 2020).unwrap();
    let elsewhere = authority.front(&socket, "engine.example.org", 2090).unwrap();
    let stranger = authority.folder(&other).unwrap();
    let distrustful = other.folder(&authority).unwrap();
    let outdated = renewed.folder(&authority).unwrap();
    let nobody = authority.folder(&authority).unwrap();
    std::fs::remove_file(nobody.path().join("cert.pem")).unwrap();
    std::fs::remove_file(nobody.path().join("key.pem")).unwrap();
    let broken = authority.folder(&authority).unwrap();
    std::fs::write(broken.path().join("key.pem"), "-----BEGIN PRIVATE KEY-----\n?").unwrap();
    let empty = TempDir::new().unwrap();
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let plain_address = plain.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut call in plain.incoming().flatten() {
            drop(call.read(&mut [0; 1024]));
            drop(call.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        }
    });
    for (address, files, part) in [
        (expired, Some(&ours), "the engine's certificate has expired"),
        (elsewhere, Some(&ours), "another name (DnsName(\"engine.example.org\"))"),
        (good, Some(&distrustful), "another authority than ca.pem"),
        (good, Some(&outdated), "another authority than ca.pem"),
        (good, Some(&stranger), "does not accept our certificate"),
        (good, Some(&nobody), "does not accept our certificate"),
        (good, Some(&broken), "key.pem cannot be read"),
        (good, Some(&empty), "ca.pem cannot be read"),
        (plain_address, Some(&ours), "does not speak TLS"),
    ] {
        let said = found(&format!("tcp://{address}"), files.map(TempDir::path));
        let Err(words) = said else { panic!("{part}: {said:?}") };
        assert!(words.contains(part) && !words.contains('\n'), "{part}: {words}");
    }
    let said = found(&format!("https://{good}"), None);
    assert!(said.is_err_and(|words| words.contains("DOCKER_CERT_PATH")));
}
