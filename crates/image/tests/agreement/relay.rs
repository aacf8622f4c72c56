//! The engine's socket as a TCP port: an engine whose layers cannot be read in its folders.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;

/// Starts a relay that runs as long as the test does, and gives its address.
pub(crate) fn start(socket: &str) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("tcp://{}", listener.local_addr()?);
    let socket = socket.to_owned();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let socket = socket.clone();
            // Whoever hangs up first ends it.
            thread::spawn(move || drop(pass(&client, &socket)));
        }
    });
    Ok(address)
}

fn pass(mut client: &TcpStream, socket: &str) -> io::Result<()> {
    let engine = UnixStream::connect(socket)?;
    thread::scope(|scope| {
        scope.spawn(|| {
            drop(io::copy(&mut &engine, &mut &*client));
            client.shutdown(Shutdown::Both)
        });
        drop(io::copy(&mut client, &mut &engine));
        engine.shutdown(Shutdown::Both)
    })
}
