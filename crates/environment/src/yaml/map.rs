//! A mapping that keeps its order and finds its keys quickly.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Node, Span};

/// Above this many entries, keys are found by hash.
const INDEX_FROM: usize = 12;

/// A key and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) value: Node,
}

/// Names and values in order; no name twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    entries: Vec<Entry>,
    index: HashMap<Arc<str>, usize>,
}

impl Map {
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Entry> {
        self.position(key).map(|at| &self.entries[at])
    }

    /// Adds an entry; an entry of that name keeps its position and gets the new key and value.
    pub(crate) fn put(&mut self, entry: Entry) {
        match self.position(&entry.key.text) {
            Some(at) => self.entries[at] = entry,
            None => {
                if !self.index.is_empty() {
                    self.index.insert(Arc::clone(&entry.key.text), self.entries.len());
                }
                self.entries.push(entry);
                if self.entries.len() == INDEX_FROM {
                    let names = self.entries.iter().enumerate();
                    self.index =
                        names.map(|(at, entry)| (Arc::clone(&entry.key.text), at)).collect();
                }
            }
        }
    }

    /// The same mapping without the entries that `drop` names.
    pub(crate) fn without(&self, drop: impl Fn(&str) -> bool) -> Self {
        let mut kept = Self::default();
        for entry in self.entries.iter().filter(|entry| !drop(&entry.key.text)) {
            kept.put(entry.clone());
        }
        kept
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.index.is_empty() {
            return self.entries.iter().position(|entry| &*entry.key.text == key);
        }
        self.index.get(key).copied()
    }
}
