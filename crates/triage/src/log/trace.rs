//! The progress of BuildKit inside the engine's stream: protobuf `StatusResponse` in base64.
//!
//! Only the fields that matter here are read: a vertex's digest (1), name (3), cached (4),
//! completed (6) and error (7); a log's vertex (1) and bytes (4).

use super::build::Build;
use super::json::{self, Vertex};

/// Reads one message.
pub(super) fn read(build: &mut Build, number: u64, bytes: &[u8]) {
    for (field, value) in Fields(bytes) {
        match (field, value) {
            (1, Value::Bytes(bytes)) => json::vertex(build, number, &vertex(bytes)),
            (3, Value::Bytes(bytes)) => {
                let (mut digest, mut words) = (String::new(), String::new());
                for (field, value) in Fields(bytes) {
                    match (field, value) {
                        (1, Value::Bytes(bytes)) => digest = text(bytes),
                        (4, Value::Bytes(bytes)) => words = text(bytes),
                        _ => {}
                    }
                }
                json::log(build, number, &digest, &words);
            }
            _ => {}
        }
    }
}

fn vertex(bytes: &[u8]) -> Vertex {
    let mut vertex = Vertex::default();
    for (field, value) in Fields(bytes) {
        match (field, value) {
            (1, Value::Bytes(bytes)) => vertex.digest = text(bytes),
            (3, Value::Bytes(bytes)) => vertex.name = text(bytes),
            (4, Value::Number(number)) => vertex.cached = number != 0,
            (6, Value::Bytes(_)) => vertex.completed = Some(serde::de::IgnoredAny),
            (7, Value::Bytes(bytes)) => vertex.error = text(bytes),
            _ => {}
        }
    }
    vertex
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The fields of a message, one after the other; ends at the first byte that does not fit.
struct Fields<'a>(&'a [u8]);

/// What a field holds.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => Value::Bytes(self.take(8)?),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Bytes(self.take(4)?),
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for place in 0..10 {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f).checked_shl(7 * place)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}
