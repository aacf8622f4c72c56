//! A proxy in front of the test registry that counts who asks for what.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The proxy. It serves until the test's process ends.
pub(crate) struct Proxy {
    /// Where it listens.
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// In front of the registry at `upstream`.
    pub(crate) fn start(upstream: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (upstream, seen) = (upstream.to_owned(), Arc::clone(&asked));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(&upstream).unwrap();
                let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let seen = Arc::clone(&seen);
                thread::spawn(move || pipe(from, to, |text| note(&seen, text)));
                thread::spawn(move || pipe(server, client, |_| {}));
            }
        });
        Self { address, asked }
    }

    /// How often a manifest was asked for by a tag.
    pub(crate) fn resolves(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        let manifests = asked.iter().filter(|line| line.contains("/manifests/"));
        manifests.filter(|line| !line.contains("sha256:")).cloned().collect()
    }
}

/// A request's first line stands alone in a packet's beginning: clients of a registry send no bodies here.
fn note(asked: &Mutex<Vec<String>>, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let requests = text.lines().filter(|line| line.ends_with(" HTTP/1.1"));
    asked.lock().unwrap().extend(requests.map(str::to_owned));
}

fn pipe(mut from: TcpStream, mut to: TcpStream, mut tell: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match from.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(read) => {
                tell(&buffer[..read]);
                if to.write_all(&buffer[..read]).is_err() {
                    break;
                }
            }
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
