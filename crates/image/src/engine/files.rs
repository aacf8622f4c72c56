//! The files of an image through the engine's API: few calls, side by side, each for more than one answer.

use std::collections::BTreeMap;

use contract::Node;
use futures_util::StreamExt as _;
use futures_util::future::join;
use futures_util::stream;
use tokio::runtime::Handle;

use super::container::Containers;
use crate::failure::ReadFailure;
use crate::layer::{Layer, scan};
use crate::source::{Paths, Wish};
use crate::wanted::Wanted;

/// Calls that run side by side.
const CALLS: usize = 8;
/// The folder that is fetched whole: half of what is asked for stands in it.
const ETC: &str = "/etc";
/// It is given up for its single files when it is longer than that (4 MiB; Debian's has 0.5).
const MAX_ETC: u64 = 4 << 20;
/// Programs and libraries that most images are asked for sooner or later. Asked for at once, they
/// need not wait for each other; where they are not, that is found out at the cost of a look.
const LIKELY: [&str; 8] = [
    "/usr/bin/dash",
    "/usr/bin/getconf",
    "/usr/bin/id",
    "/usr/bin/mkdir",
    "/usr/bin/uname",
    "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/x86_64-linux-gnu/libselinux.so.1",
];
/// The folders on the way to them.
const WAY: [&str; 4] = ["/usr", "/usr/bin", "/usr/lib", "/usr/lib/x86_64-linux-gnu"];

/// What was fetched ahead.
#[derive(Default)]
struct Ahead {
    nodes: BTreeMap<String, Node>,
    /// `/etc`, where it could be had whole.
    etc: Option<Layer>,
}

/// The files. Dropping them removes the containers.
pub(super) struct ApiFiles {
    containers: Containers,
    runtime: Handle,
    ahead: Option<Ahead>,
    wanted: Wanted,
}

impl ApiFiles {
    pub(super) fn new(containers: Containers) -> Self {
        Self { containers, runtime: Handle::current(), ahead: None, wanted: Wanted::default() }
    }

    async fn fetch_ahead(&self) -> Result<Ahead, ReadFailure> {
        let looks =
            WAY.iter().chain(&LIKELY).map(|path| self.containers.node(path, Wish::Contents));
        let nodes = stream::iter(looks).buffered(CALLS).collect::<Vec<_>>();
        let (etc, nodes) = join(self.etc(), nodes).await;
        let mut ahead = Ahead { nodes: BTreeMap::new(), etc: etc? };
        for (path, node) in WAY.iter().chain(&LIKELY).zip(nodes) {
            // The engine follows links on the way, and a path here passes through none.
            if is_way(path, &ahead.nodes) {
                ahead.nodes.insert((*path).to_owned(), node?);
            }
        }
        Ok(ahead)
    }

    async fn etc(&self) -> Result<Option<Layer>, ReadFailure> {
        if self.containers.node(ETC, Wish::Words).await? != Node::Directory {
            return Ok(None);
        }
        let Some(bytes) = self.containers.archive(ETC, MAX_ETC).await? else { return Ok(None) };
        // What cannot be read as a whole can perhaps be read file by file.
        let layer = scan(&mut bytes.as_slice(), &self.wanted).ok();
        Ok(layer.filter(|layer| !layer.overfull))
    }

    /// What is known of a path already.
    fn known(&self, path: &str) -> Option<Node> {
        let ahead = self.ahead.as_ref()?;
        if let Some(node) = ahead.nodes.get(path) {
            return Some(node.clone());
        }
        let etc = ahead.etc.as_ref()?;
        let is_inside =
            path == ETC || path.strip_prefix(ETC).is_some_and(|rest| rest.starts_with('/'));
        if !is_inside || !self.wanted.keeps(path) || etc.pending.contains_key(path) {
            return None;
        }
        Some(etc.nodes.get(path).cloned().unwrap_or(Node::Absent))
    }
}

/// Whether every folder on the way to a path is one.
fn is_way(path: &str, nodes: &BTreeMap<String, Node>) -> bool {
    let mut ends = path.match_indices('/').map(|(at, _)| at).filter(|&at| at > 0);
    ends.all(|end| nodes.get(&path[..end]) == Some(&Node::Directory))
}

impl Paths for ApiFiles {
    fn nodes(&mut self, paths: &[(String, Wish)]) -> Result<Vec<Node>, ReadFailure> {
        let runtime = self.runtime.clone();
        if self.ahead.is_none() {
            self.ahead = Some(runtime.block_on(self.fetch_ahead())?);
        }
        let node = async |(path, wish): &(String, Wish)| match self.known(path) {
            Some(node) => Ok(node),
            None => self.containers.node(path, *wish).await,
        };
        let all = stream::iter(paths).map(node).buffered(CALLS);
        runtime.block_on(all.collect::<Vec<_>>()).into_iter().collect()
    }

    /// Only below `/etc`: elsewhere a folder would have to be fetched with all that is in it.
    fn children(&mut self, folder: &str) -> Result<Vec<String>, ReadFailure> {
        let etc = self.ahead.as_ref().and_then(|ahead| ahead.etc.as_ref());
        Ok(etc.map_or_else(Vec::new, |etc| etc.children(folder).cloned().collect()))
    }

    fn not_verified(&self) -> Vec<String> {
        vec!["the engine's own store: it was read through its API".to_owned()]
    }

    fn close(&mut self) {
        let removal = self.containers.removal();
        self.runtime.block_on(removal);
    }
}

impl Drop for ApiFiles {
    /// Only when the reading broke off before [`Paths::close`].
    fn drop(&mut self) {
        if !self.containers.are_gone() {
            self.runtime.spawn(self.containers.removal());
        }
    }
}
