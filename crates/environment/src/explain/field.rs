//! From a place in an author's file to the field that stands there, and so to the page that describes it.

use crate::files::Files;
use crate::shape::rows::{FieldRow, rows};
use crate::yaml::{Node, Span, Value};
use crate::{Dialect, Place, Source, dialect};

/// A step on the way from a definition to a value in it.
#[derive(Debug, PartialEq, Eq)]
enum Step<'n> {
    Key(&'n str),
    Item,
}

/// The field that holds what stands at a place of a definition, the innermost one that the pages know.
#[must_use]
pub fn field_at(source: &dyn Source, dialect: Dialect, place: &Place) -> Option<FieldRow> {
    let mut files = Files::new(source);
    let file = files.load(&place.file).ok()?;
    let root = files.get(file).root.as_ref()?;
    let steps = way(root, (place.line, place.column));
    let fields = rows(dialect::row(dialect)?.fields).into_iter();
    let known = fields.filter(|row| leads(&row.path, &steps));
    // Rows stand in order, the outer before the inner.
    known.max_by_key(|row| row.path.matches(['.', '[']).count())
}

/// The steps to the innermost value that begins at or before a place: what follows begins behind it.
fn way(root: &Node, at: (u32, u32)) -> Vec<Step<'_>> {
    let begun = |span: Span| (span.line, span.column) <= at;
    let (mut node, mut steps) = (root, Vec::new());
    loop {
        let next = match node.value() {
            Value::Map(map) => {
                let entry = map.entries().iter().rfind(|entry| begun(entry.key.span));
                entry.map(|entry| (Step::Key(&entry.key.text), &entry.value))
            }
            Value::List(items) => {
                items.iter().rfind(|item| begun(item.span())).map(|item| (Step::Item, item))
            }
            Value::Scalar(_) => None,
        };
        let Some((step, inner)) = next else { return steps };
        steps.push(step);
        node = inner;
    }
}

/// Whether a path of the table (`repositories[].name`, `env.*.$secret`) is the way, or its beginning.
fn leads(path: &str, steps: &[Step<'_>]) -> bool {
    let mut steps = steps.iter();
    path.split('.').all(|part| {
        let name = part.trim_end_matches("[]");
        let items = (part.len() - name.len()) / "[]".len();
        let named = matches!(steps.next(), Some(Step::Key(key)) if name == "*" || *key == name);
        named && (0..items).all(|_| steps.next() == Some(&Step::Item))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::field_at;
    use crate::{Dialect, MapSource, Place, RepoPath};

    #[test]
    fn every_place_of_a_definition_is_in_a_field() {
        let text = "ellipsis:\n  kind: environment\nrepositories:\n  - name: a\n    ref: b\nimage:\n  \
                    dockerfile_append: |\n    RUN a\n    RUN b\nvariables: [{name: A, value: x}]\n";
        let file = RepoPath::new("agents/a.yaml").unwrap();
        let source = MapSource([(file.clone(), Arc::from(text.as_bytes()))].into());
        for ((line, column), path) in [
            ((2, 9), "ellipsis.kind"),
            ((4, 11), "repositories[].name"),
            ((5, 10), "repositories[].ref"),
            ((9, 5), "image.dockerfile_append"),
            ((10, 20), "variables[].name"),
            ((10, 30), "variables[].value"),
        ] {
            let place = Place { file: file.clone(), line, column };
            let row = field_at(&source, Dialect::Ellipsis, &place).unwrap();
            assert_eq!(row.path, path);
            assert!(!row.page.is_empty(), "{path}");
        }
    }
}
