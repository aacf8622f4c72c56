//! A container that is created, asked for files, never started, and removed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contract::{Content, Node};
use futures_util::StreamExt as _;
use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use tokio::runtime::Handle;

use super::api::{Api, frame, refusal};
use crate::content;
use crate::failure::ReadFailure;
use crate::layer::tar::Tar;
use crate::limits::MAX_FILE;
use crate::source::Paths;
use crate::source::manifest::parse;

/// Calls that run side by side.
const CALLS: usize = 4;
/// The label of everything that Drydock makes on an engine, so that `drydock clean` finds what a
/// killed reading left.
const LABEL: &str = "dev.drydock.run";
/// Bits of Go's file mode.
const GO_DIRECTORY: u32 = 1 << 31;
const GO_LINK: u32 = 1 << 27;
const GO_TYPES: u32 = GO_DIRECTORY | GO_LINK | 1 << 26 | 1 << 25 | 1 << 24 | 1 << 21 | 1 << 19;
/// Headers and padding around one file in a tar stream.
const TAR_AROUND: u64 = 64 << 10;

/// A created container. Dropping it removes it.
pub(super) struct Container {
    api: Api,
    id: String,
    runtime: Handle,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Created {
    id: String,
}

/// The header that answers `HEAD /containers/ID/archive`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    mode: u32,
    #[serde(default)]
    size: i64,
    #[serde(default)]
    link_target: String,
}

impl Container {
    /// Creates a container of an image. It has no network and will never run.
    pub(super) async fn create(api: Api, image: &str) -> Result<Self, ReadFailure> {
        let body = json!({
            "Image": image, "Entrypoint": ["/never-started"], "Cmd": [], "NetworkDisabled": true,
            "Labels": { LABEL: "inspect" }, "Volumes": null,
        });
        let (status, body) = api.call("POST", "/containers/create", Some(body.to_string())).await?;
        if status != 201 {
            return Err(refusal(status, &body));
        }
        let Created { id } = parse(&body, "the engine's words on a new container")?;
        Ok(Self { api, id, runtime: Handle::current() })
    }

    fn path(&self, path: &str) -> String {
        let query =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("path", path).finish();
        format!("/containers/{}/archive?{query}", self.id)
    }

    async fn node(&self, path: &str) -> Result<Node, ReadFailure> {
        let response = self.api.start("HEAD", &self.path(path), None).await?;
        match response.status().as_u16() {
            200 => {}
            404 => return Ok(Node::Absent),
            // The engine follows links itself, and gives up where they lead in circles.
            500 => return Ok(Node::Link { target: path.to_owned() }),
            status => return Err(refusal(status, b"")),
        }
        let header = response.headers().get("x-docker-container-path-stat");
        let header = header.and_then(|header| STANDARD.decode(header.as_bytes()).ok());
        let about: About = parse(&header.unwrap_or_default(), "the engine's words on a file")?;
        let size = u64::try_from(about.size).unwrap_or(0);
        let mode = about.mode & 0o777;
        match about.mode & GO_TYPES {
            GO_DIRECTORY => Ok(Node::Directory),
            GO_LINK => Ok(Node::Link { target: about.link_target }),
            0 if size > MAX_FILE => {
                let why = format!("larger than {} MiB", MAX_FILE >> 20);
                Ok(Node::File { mode, size, content: Content::Unread { why } })
            }
            0 => Ok(Node::File { mode, size, content: self.content(path, size).await? }),
            _ => Ok(Node::Special),
        }
    }

    /// A file's bytes, out of the tar stream that the engine wraps them in.
    async fn content(&self, path: &str, size: u64) -> Result<Content, ReadFailure> {
        let response = self.api.start("GET", &self.path(path), None).await?;
        let mut body = response.into_body();
        let mut bytes = Vec::new();
        while let Some(frame) = frame(&mut body).await? {
            bytes.extend_from_slice(&frame);
            if bytes.len() as u64 > size + TAR_AROUND {
                break;
            }
        }
        let mut tar = Tar::new(bytes.as_slice());
        let mut data = Vec::new();
        let read = tar.next().and_then(|entry| entry.map_or(Ok(()), |_| tar.data(&mut data)));
        Ok(match read {
            Ok(()) => content::content(path, &data),
            Err(error) => Content::Unread { why: error.to_string() },
        })
    }
}

impl Paths for Container {
    fn nodes(&mut self, paths: &[String]) -> Result<Vec<Node>, ReadFailure> {
        let all = stream::iter(paths).map(|path| self.node(path)).buffered(CALLS);
        self.runtime.block_on(all.collect::<Vec<_>>()).into_iter().collect()
    }

    /// A folder cannot be listed without being fetched; its files only refine the forecast.
    fn children(&mut self, _folder: &str) -> Result<Vec<String>, ReadFailure> {
        Ok(Vec::new())
    }

    fn not_verified(&self) -> Vec<String> {
        vec!["the engine's own store: it was read through its API".to_owned()]
    }

    fn close(&mut self) {
        let removal = Self::remove(self.api.clone(), std::mem::take(&mut self.id));
        self.runtime.block_on(removal);
    }
}

impl Container {
    async fn remove(api: Api, id: String) {
        let path = format!("/containers/{id}?force=1&v=1");
        let _ = api.call("DELETE", &path, None).await;
    }
}

impl Drop for Container {
    /// Only when the reading broke off before [`Paths::close`].
    fn drop(&mut self) {
        if !self.id.is_empty() {
            self.runtime.spawn(Self::remove(self.api.clone(), std::mem::take(&mut self.id)));
        }
    }
}
