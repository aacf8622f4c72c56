//! [`Trace`]: from a value back to the file it stands in and the imports on the way there.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::files::Files;
use crate::yaml::{FileId, Node, Span};
use crate::{Basis, Place, SourceFile, Sourced, Text, TextShape};

/// Where the values of one agent come from.
pub(crate) struct Trace<'f> {
    files: &'f Files<'f>,
    /// The files in merge order (the agent's own last).
    order: Vec<FileId>,
    /// The `imports` entries on the way to each file, outermost first.
    via: HashMap<FileId, Via>,
}

/// The way to one file.
struct Via {
    spans: Vec<Span>,
    places: Arc<[Place]>,
}

impl<'f> Trace<'f> {
    pub(crate) fn new(
        files: &'f Files<'f>,
        order: Vec<FileId>,
        via: HashMap<FileId, Vec<Span>>,
    ) -> Self {
        let way = |spans: Vec<Span>| {
            let places = spans.iter().map(|span| files.place(*span)).collect();
            Via { spans, places }
        };
        let via = via.into_iter().map(|(file, spans)| (file, way(spans))).collect();
        Self { files, order, via }
    }

    /// The `imports` entries on the way to a file; empty for the agent's own.
    pub(crate) fn via(&self, file: FileId) -> &[Span] {
        self.via.get(&file).map_or(&[], |via| &via.spans)
    }

    /// The files in merge order.
    pub(crate) fn files(&self) -> &[FileId] {
        &self.order
    }

    pub(crate) fn source_file(&self, id: FileId) -> SourceFile {
        self.files.source_file(id)
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        self.files.place(span)
    }

    pub(crate) fn basis(&self, span: Span) -> Basis {
        let via = self.via.get(&span.file).map(|via| Arc::clone(&via.places)).unwrap_or_default();
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

    /// A part of a text that is taken over byte for byte, with its own place.
    pub(crate) fn part(&self, text: &Text, start: usize, end: usize) -> Text {
        let value = text.value.get(start..end).unwrap_or_default().to_owned();
        let (Basis::Authored { via, .. }, Some(place)) = (&text.basis, text.place_at(start)) else {
            return Text { value, basis: text.basis.clone(), shape: TextShape::Opaque };
        };
        let shape = match text.shape {
            TextShape::Inline { .. } => TextShape::Inline { column: place.column },
            TextShape::Literal { .. } => {
                TextShape::Literal { first_line: place.line, column: place.column }
            }
            TextShape::Opaque => TextShape::Opaque,
        };
        Text { value, basis: Basis::Authored { place, via: via.clone() }, shape }
    }

    /// The span of `len` characters at a byte of the text that stands in `node`.
    pub(crate) fn within(&self, node: &Node, text: &Text, offset: usize, len: usize) -> Span {
        let whole = node.span();
        let Some(place) = text.place_at(offset).filter(|_| text.shape != TextShape::Opaque) else {
            return whole;
        };
        let file = &self.files.get(whole.file).text;
        let line = usize::try_from(place.line).unwrap_or(usize::MAX).saturating_sub(1);
        let Some(start) = crate::yaml::lines(file).nth(line) else { return whole };
        let in_line: usize =
            start.chars().take(place.column as usize - 1).map(char::len_utf8).sum();
        let offset = start.as_ptr() as usize - file.as_ptr() as usize + in_line;
        let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Span {
            line: place.line,
            column: place.column,
            offset: narrow(offset),
            len: narrow(len),
            ..whole
        }
    }

    /// A part of a scalar's text, in bytes; `None` when the text does not stand in the file as it is.
    pub(crate) fn span_of(&self, node: &Node, part: Range<usize>) -> Option<Span> {
        let span = node.span();
        let scalar = node.as_scalar()?;
        let shape = scalar.shape(&self.files.get(span.file).text, span);
        let TextShape::Inline { column } = shape else { return None };
        let chars = |text: &str| u32::try_from(text.chars().count()).ok();
        let quote = column.checked_sub(span.column)?;
        let before = scalar.text.get(..part.start)?;
        Some(Span {
            column: column.checked_add(chars(before)?)?,
            offset: span
                .offset
                .checked_add(quote)?
                .checked_add(u32::try_from(before.len()).ok()?)?,
            len: chars(scalar.text.get(part)?)?.max(1),
            ..span
        })
    }
}
