//! Containers of one image: created, never started, asked for files, and removed.

use std::sync::{Mutex, PoisonError};

use contract::{Content, Node};
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;

use super::api::{Api, refusal, up_to};
use super::stat::About;
use crate::content;
use crate::failure::ReadFailure;
use crate::layer::tar::Tar;
use crate::limits::MAX_FILE;
use crate::source::Wish;
use crate::source::manifest::parse;

/// The label of everything that Drydock makes on an engine, so that `drydock clean` finds what a
/// killed reading left.
const LABEL: &str = "dev.drydock.run";
/// Headers and padding around one file in a tar stream.
const TAR_AROUND: u64 = 64 << 10;
/// How much longer an old engine takes to hand a file out than to look at one (45 ms, 1.5 ms).
const FILE: u32 = 30;
/// Looking at a file.
const LOOK: u32 = 1;

/// Created containers. An engine answers for one of them one call after another, so that several
/// answer sooner where a call takes long.
pub(super) struct Containers {
    api: Api,
    ids: Vec<String>,
    /// How much each of them is at.
    busy: Mutex<Vec<u32>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Created {
    id: String,
}

impl Containers {
    /// Creates that many containers of an image, or fewer. They have no network and will never run.
    pub(super) async fn create(api: Api, image: &str, count: usize) -> Result<Self, ReadFailure> {
        let created = join_all((0..count.max(1)).map(|_| create(&api, image))).await;
        let (ids, failures): (Vec<_>, Vec<_>) = created.into_iter().partition(Result::is_ok);
        let ids: Vec<String> = ids.into_iter().flatten().collect();
        match failures.into_iter().find_map(Result::err) {
            Some(failure) if ids.is_empty() => Err(failure),
            // One is enough.
            _ => Ok(Self { api, busy: Mutex::new(vec![0; ids.len()]), ids }),
        }
    }

    /// What stands at a path.
    pub(super) async fn node(&self, path: &str, wish: Wish) -> Result<Node, ReadFailure> {
        let response = {
            let turn = self.turn(LOOK);
            self.api.start("HEAD", &turn.url(path), None).await?
        };
        match response.status().as_u16() {
            200 => {}
            404 => return Ok(Node::Absent),
            // The engine follows links itself, and gives up where they lead in circles.
            500 => return Ok(Node::Link { target: path.to_owned() }),
            status => return Err(refusal(status, b"")),
        }
        let about = About::of(&response)?;
        let (mode, size) = (about.permissions(), about.size());
        let file = |content| Node::File { mode, size, content };
        let unread = |why: &str| file(Content::Unread { why: why.to_owned() });
        match about.node() {
            Some(node) => Ok(node),
            None if size > MAX_FILE => Ok(unread(&format!("larger than {} MiB", MAX_FILE >> 20))),
            None if wish == Wish::Words && mode & 0o111 != 0 && !content::is_text(path) => {
                Ok(unread("only whether it is there was asked"))
            }
            None => Ok(file(self.content(path, size).await?)),
        }
    }

    /// A file's bytes, out of the tar stream that the engine wraps them in.
    async fn content(&self, path: &str, size: u64) -> Result<Content, ReadFailure> {
        let Some(bytes) = self.archive(path, size + TAR_AROUND).await? else {
            return Ok(Content::Unread { why: "it is longer than the engine said".to_owned() });
        };
        let mut tar = Tar::new(bytes.as_slice());
        let mut data = Vec::new();
        let read = tar.next().and_then(|entry| entry.map_or(Ok(()), |_| tar.data(&mut data)));
        Ok(match read {
            Ok(()) => content::content(path, &data),
            Err(error) => Content::Unread { why: error.to_string() },
        })
    }

    /// A file or folder as the engine packs it; `None` when that is longer than the limit.
    pub(super) async fn archive(
        &self,
        path: &str,
        limit: u64,
    ) -> Result<Option<Vec<u8>>, ReadFailure> {
        let turn = self.turn(FILE);
        let response = self.api.start("GET", &turn.url(path), None).await?;
        match response.status().as_u16() {
            200 => up_to(limit, response).await,
            status => Err(refusal(status, b"")),
        }
    }

    /// Takes the container that is at the least.
    fn turn(&self, weight: u32) -> Turn<'_> {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let at = (0..busy.len()).min_by_key(|&at| busy[at]).unwrap_or(0);
        busy[at] += weight;
        Turn { containers: self, at, weight }
    }

    /// What removes them.
    pub(super) fn removal(&mut self) -> impl Future<Output = ()> + Send + use<> {
        let (api, ids) = (self.api.clone(), std::mem::take(&mut self.ids));
        async move {
            let paths: Vec<_> =
                ids.iter().map(|id| format!("/containers/{id}?force=1&v=1")).collect();
            // What stays has our label: `drydock clean` removes it.
            join_all(paths.iter().map(|path| api.call("DELETE", path, None))).await;
        }
    }

    /// Whether they were removed.
    pub(super) const fn are_gone(&self) -> bool {
        self.ids.is_empty()
    }
}

async fn create(api: &Api, image: &str) -> Result<String, ReadFailure> {
    let body = json!({
        "Image": image, "Entrypoint": ["/never-started"], "Cmd": [], "NetworkDisabled": true,
        "Labels": { LABEL: "inspect" }, "Volumes": null,
    });
    let (status, body) = api.call("POST", "/containers/create", Some(body.to_string())).await?;
    if status != 201 {
        return Err(refusal(status, &body));
    }
    let Created { id } = parse(&body, "the engine's words on a new container")?;
    Ok(id)
}

/// A call to one of the containers, as long as it lives.
struct Turn<'a> {
    containers: &'a Containers,
    at: usize,
    weight: u32,
}

impl Turn<'_> {
    fn url(&self, path: &str) -> String {
        let query =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("path", path).finish();
        format!("/containers/{}/archive?{query}", self.containers.ids[self.at])
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut busy = self.containers.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy[self.at] -= self.weight;
    }
}
