//! What the engine says of a file: the header that answers `HEAD /containers/ID/archive`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contract::Node;
use hyper::Response;
use serde::Deserialize;

use crate::failure::ReadFailure;
use crate::source::manifest::parse;

/// Bits of Go's file mode.
const GO_DIRECTORY: u32 = 1 << 31;
const GO_LINK: u32 = 1 << 27;
const GO_TYPES: u32 = GO_DIRECTORY | GO_LINK | 1 << 26 | 1 << 25 | 1 << 24 | 1 << 21 | 1 << 19;

/// What a file is, and how large.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct About {
    mode: u32,
    #[serde(default)]
    size: i64,
    #[serde(default)]
    link_target: String,
}

impl About {
    pub(super) fn of<B>(response: &Response<B>) -> Result<Self, ReadFailure> {
        let header = response.headers().get("x-docker-container-path-stat");
        let header = header.and_then(|header| STANDARD.decode(header.as_bytes()).ok());
        parse(&header.unwrap_or_default(), "the engine's words on a file")
    }

    /// What it is; `None` for a file.
    pub(super) fn node(self) -> Option<Node> {
        match self.mode & GO_TYPES {
            GO_DIRECTORY => Some(Node::Directory),
            GO_LINK => Some(Node::Link { target: self.link_target }),
            0 => None,
            _ => Some(Node::Special),
        }
    }

    pub(super) fn permissions(&self) -> u32 {
        self.mode & 0o777
    }

    pub(super) fn size(&self) -> u64 {
        u64::try_from(self.size).unwrap_or(0)
    }
}
