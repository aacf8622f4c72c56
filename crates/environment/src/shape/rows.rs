//! The fields of a dialect as rows: for the documentation, and for `--explain`.

use super::{Field, Object, Shape, Standing};

/// One field of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// Its path in a definition: `image.setup`, `repositories[].name`, `metadata.*`.
    pub path: String,
    /// What it is, in one sentence; for a field that is refused, what to write instead.
    pub what: &'static str,
    /// What Drydock does with it: `built`, `tried`, `checked only`, `kept`, or `refused`.
    pub does: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it is when it is left out, where a page says so.
    pub default: Option<&'static str>,
    /// The published page that describes it.
    pub page: &'static str,
    /// The generation that has it, where that is not the one that Drydock reads.
    pub generation: Option<&'static str>,
}

/// All fields, in the order of the table, the outer before the inner.
pub(crate) fn rows(object: &'static Object) -> Vec<FieldRow> {
    let mut rows = Vec::new();
    walk(object, "", "", &mut |path, field, page| {
        let refused = match field.standing {
            Standing::Refused { generation, .. } => Some(generation),
            Standing::Current | Standing::Alias { .. } => None,
        };
        rows.push(FieldRow {
            path: path.to_owned(),
            what: field.what,
            does: if refused.is_some() { "refused" } else { field.does.name() },
            required: field.required,
            default: field.default,
            page,
            generation: refused,
        });
    });
    rows
}

/// The path of the one field of that name which this generation has, if there is exactly one.
pub(crate) fn path_of(object: &'static Object, name: &str) -> Option<String> {
    let mut found = Vec::new();
    walk(object, "", "", &mut |path, field, _| {
        if field.name == name && matches!(field.standing, Standing::Current) {
            found.push(path.to_owned());
        }
    });
    found.dedup();
    let [only] = found.as_slice() else { return None };
    Some(only.clone())
}

type Visit<'a> = &'a mut dyn FnMut(&str, &'static Field, &'static str);

/// A field without a page of its own has the page of the mapping that it stands in.
fn walk(object: &'static Object, above: &str, page: &'static str, visit: Visit<'_>) {
    for field in object.fields {
        let path = if above.is_empty() {
            field.name.to_owned()
        } else {
            format!("{above}.{}", field.name)
        };
        let page = if field.page.is_empty() { page } else { field.page };
        visit(&path, field, page);
        below(&field.shape, &path, page, visit);
    }
}

fn below(shape: &'static Shape, path: &str, page: &'static str, visit: Visit<'_>) {
    match shape {
        Shape::Object(object) => walk(object, path, page, visit),
        Shape::List { item, .. } => below(item, &format!("{path}[]"), page, visit),
        Shape::Names(item) => below(item, &format!("{path}.*"), page, visit),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| below(shape, path, page, visit)),
        Shape::Text(_)
        | Shape::Word(_)
        | Shape::Flag
        | Shape::Whole { .. }
        | Shape::Measure(_)
        | Shape::Former { .. }
        | Shape::Anything => {}
    }
}
