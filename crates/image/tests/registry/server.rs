//! A real HTTP server on a loopback port that behaves as badly as it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use sha2::{Digest as _, Sha256};

/// What is answered to one request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// A status, headers and a body.
    Full(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Fewer bytes than were promised.
    Cut(Vec<u8>),
    /// Nothing, for as long as anybody waits.
    Silence,
    /// The head, and then nothing.
    Stalled(Vec<u8>),
}

/// Replies by path; the last one of a list is given again and again.
pub(crate) type Replies = BTreeMap<String, Vec<Reply>>;

/// A server, and every request that it took.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts one. It ends with the test.
    pub(crate) fn start(replies: impl FnOnce(SocketAddr) -> Replies) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let replies = Arc::new(Mutex::new(replies(address)));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let taken = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (replies, taken) = (Arc::clone(&replies), Arc::clone(&taken));
                thread::spawn(move || serve(stream, &replies, &taken));
            }
        });
        Self { address, requests }
    }

    /// One that is no longer there.
    pub(crate) fn gone() -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        Self { address, requests: Arc::default() }
    }

    /// The requests so far: method, path, and who was authorised.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, replies: &Mutex<Replies>, taken: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let (mut authorization, mut line) = (String::new(), String::new());
        while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("authorization: ") {
                authorization = line[line.len() - value.len()..].trim().to_owned();
            }
            line.clear();
        }
        let path = first.split(' ').nth(1).unwrap_or("").to_owned();
        taken.lock().unwrap().push(format!("{path} {authorization}").trim().to_owned());
        let reply = {
            let mut replies = replies.lock().unwrap();
            let key = if authorization.is_empty() {
                path.clone()
            } else {
                format!("{path} {authorization}")
            };
            let list = replies.get_mut(&key);
            match list {
                Some(list) if list.len() > 1 => list.remove(0),
                Some(list) => list[0].clone(),
                None => Reply::Full(404, Vec::new(), b"{}".to_vec()),
            }
        };
        let keep = write(&mut stream, reply);
        if keep.is_err() || !keep.unwrap_or(false) {
            return;
        }
    }
}

fn write(stream: &mut TcpStream, reply: Reply) -> std::io::Result<bool> {
    match reply {
        Reply::Full(status, headers, body) => {
            write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: {}\r\n", body.len())?;
            for (name, value) in headers {
                write!(stream, "{name}: {value}\r\n")?;
            }
            write!(stream, "\r\n")?;
            stream.write_all(&body)?;
            Ok(true)
        }
        Reply::Cut(body) => {
            write!(stream, "HTTP/1.1 200 x\r\ncontent-length: {}\r\n\r\n", body.len() + 1000)?;
            stream.write_all(&body)?;
            Ok(false)
        }
        Reply::Silence => {
            thread::sleep(std::time::Duration::from_secs(20));
            Ok(false)
        }
        Reply::Stalled(body) => {
            write!(stream, "HTTP/1.1 200 x\r\ncontent-length: {}\r\n\r\n", body.len() + 1000)?;
            stream.write_all(&body)?;
            stream.flush()?;
            thread::sleep(std::time::Duration::from_secs(20));
            Ok(false)
        }
    }
}

/// The digest of some bytes.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
