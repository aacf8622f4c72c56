//! Layers upon each other: what stands at a path of the whole image.

use contract::Node;

use crate::layer::Layer;
use crate::wanted::Wanted;

/// A hard link leads to a file, and not to a chain of links.
const MAX_HARD_LINKS: u32 = 16;

/// The layers of an image, the top one first. Those that were not read yet are missing.
#[derive(Debug)]
pub(crate) struct Stack {
    layers: Vec<Option<Layer>>,
}

/// What stands at a path.
pub(crate) enum Found {
    /// This.
    Node(Node),
    /// A layer that decides was not read yet.
    NotYet,
    /// It was not kept: this path must be wanted before layers are read again.
    NotKept(String),
}

impl Stack {
    pub(crate) fn new(count: usize) -> Self {
        Self { layers: (0..count).map(|_| None).collect() }
    }

    /// Puts a layer in its place, counted from the top.
    pub(crate) fn put(&mut self, from_top: usize, layer: Layer) {
        self.layers[from_top] = Some(layer);
    }

    /// Whether a layer had more of the usual than is kept.
    pub(crate) fn is_overfull(&self) -> bool {
        self.layers.iter().flatten().any(|layer| layer.overfull)
    }

    /// The bytes of file data in all layers; `None` when one was not read.
    pub(crate) fn unpacked(&self) -> Option<u64> {
        self.layers.iter().map(|layer| layer.as_ref().map(|layer| layer.unpacked)).sum()
    }

    /// Which layers were not read, counted from the top.
    pub(crate) fn missing(&self) -> impl Iterator<Item = usize> {
        self.layers.iter().enumerate().filter(|(_, layer)| layer.is_none()).map(|(at, _)| at)
    }

    /// What stands at a path that passes through no link.
    ///
    /// From the top: the first layer that puts something there decides. Below a layer that hides the
    /// path, or a folder on its way, or puts something else than a folder there, nothing shows.
    pub(crate) fn node(&self, path: &str, wanted: &Wanted) -> Found {
        if !wanted.keeps(path) {
            return Found::NotKept(path.to_owned());
        }
        for layer in &self.layers {
            let Some(layer) = layer else { return Found::NotYet };
            if let Some(target) = layer.pending.get(path) {
                return self.linked(layer, target, wanted);
            }
            if let Some(node) = layer.nodes.get(path) {
                return Found::Node(node.clone());
            }
            if layer.hidden.contains(path) || hides_way(layer, path) {
                return Found::Node(Node::Absent);
            }
        }
        Found::Node(Node::Absent)
    }

    /// Every kept path below a folder.
    pub(crate) fn children(&self, folder: &str) -> Vec<String> {
        let all = self.layers.iter().flatten().flat_map(|layer| layer.children(folder));
        let mut all: Vec<String> = all.cloned().collect();
        all.sort();
        all.dedup();
        all
    }

    /// A hard link to a file of the same layer, perhaps over further ones.
    fn linked(&self, layer: &Layer, target: &str, wanted: &Wanted) -> Found {
        let mut target = target;
        for _ in 0..MAX_HARD_LINKS {
            if !wanted.keeps(target) {
                return Found::NotKept(target.to_owned());
            }
            match (layer.pending.get(target), layer.nodes.get(target)) {
                (Some(further), _) => target = further,
                (None, Some(node)) => return Found::Node(node.clone()),
                (None, None) => break,
            }
        }
        let why = format!("a hard link to {target}, which is not in its layer");
        let content = contract::Content::Unread { why };
        Found::Node(Node::File { mode: 0o755, size: 0, content })
    }
}

/// Whether a layer hides a folder on the way to a path, its contents, or puts something else there.
fn hides_way(layer: &Layer, path: &str) -> bool {
    path.match_indices('/').map(|(at, _)| &path[..at]).any(|folder| {
        layer.opaque.contains(folder)
            || layer.hidden.contains(folder)
            || layer.nodes.get(folder).is_some_and(|node| *node != Node::Directory)
    })
}
