//! [`Trace`]: from a value back to the file it stands in and the imports on the way there.

use std::collections::HashMap;

use crate::files::Files;
use crate::yaml::{FileId, Node, Span};
use crate::{Basis, SourceFile, Sourced, Text, TextShape};

/// Where the values of one agent come from.
pub(crate) struct Trace<'f> {
    files: &'f Files<'f>,
    /// The files in merge order (the agent's own last).
    order: Vec<FileId>,
    /// The `imports` entries on the way to each file, outermost first.
    via: HashMap<FileId, Vec<Span>>,
}

impl<'f> Trace<'f> {
    pub(crate) fn new(
        files: &'f Files<'f>,
        order: Vec<FileId>,
        via: HashMap<FileId, Vec<Span>>,
    ) -> Self {
        Self { files, order, via }
    }

    /// The `imports` entries on the way to a file; empty for the agent's own.
    pub(crate) fn via(&self, file: FileId) -> &[Span] {
        self.via.get(&file).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn source_files(&self) -> impl Iterator<Item = SourceFile> {
        self.order.iter().map(|id| self.files.source_file(*id))
    }

    pub(crate) fn basis(&self, span: Span) -> Basis {
        let via = self.via(span.file).iter().map(|span| self.files.place(*span)).collect();
        Basis::Authored { place: self.files.place(span), via }
    }

    /// A value that the author wrote at `span`.
    pub(crate) fn authored<T>(&self, value: T, span: Span) -> Sourced<T> {
        Sourced { value, basis: self.basis(span) }
    }

    /// A scalar's text with what is needed to point into it.
    pub(crate) fn text(&self, node: &Node) -> Text {
        let span = node.span();
        let (value, shape) =
            node.as_scalar().map_or((String::new(), TextShape::Opaque), |scalar| {
                let shape = scalar.shape(&self.files.get(span.file).text, span);
                (scalar.text.to_string(), shape)
            });
        Text { value, basis: self.basis(span), shape }
    }
}
