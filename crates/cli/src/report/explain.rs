//! `plan --explain`: where a value comes from, and what the published page says of its field.

use std::fmt::Write as _;

use environment::{Basis, FieldRow, ResolvedEnvironment, Source};

use super::text::plain;

/// What can be said about a pointer into the resolved environment or into the definition; `None` when
/// neither has such a place.
pub(crate) fn words(
    source: &dyn Source,
    environment: &ResolvedEnvironment,
    pointer: &str,
) -> Option<String> {
    let dialect = environment.origin.dialect;
    let mut words = String::new();
    for one in environment::explain(environment, pointer) {
        let value = one.value.lines().next().unwrap_or_default();
        let _ =
            writeln!(words, "{} = {}\n  {}", one.pointer, plain(value), plain(&basis(&one.basis)));
        if let Basis::Authored { place, .. } = &one.basis
            && let Some(row) = environment::field_at(source, dialect, place)
        {
            let _ = writeln!(words, "  as {}: {}", row.path, row.page);
        }
    }
    let wanted = field_path(pointer);
    for row in environment::fields(dialect) {
        if row.path.split('.').map(|part| part.trim_end_matches("[]")).eq(wanted.iter().copied()) {
            field(&mut words, &row);
        }
    }
    (!words.is_empty()).then_some(words)
}

/// The names of a pointer's fields, without the numbers of items: `/repositories/0/name`.
fn field_path(pointer: &str) -> Vec<&str> {
    let parts = pointer.trim_matches('/').split(['/', '.']);
    parts.filter(|part| part.parse::<usize>().is_err()).collect()
}

fn field(words: &mut String, row: &FieldRow) {
    let _ = writeln!(words, "{}: {}", row.path, row.what);
    let _ = writeln!(words, "  drydock: {}", row.does);
    if let Some(generation) = row.generation {
        let _ = writeln!(words, "  belongs to: {generation}");
    }
    if let Some(default) = row.default {
        let _ = writeln!(words, "  left out: {default}");
    }
    if !row.page.is_empty() {
        let _ = writeln!(words, "  page: {}", row.page);
    }
}

fn basis(basis: &Basis) -> String {
    match basis {
        Basis::Authored { place, via } => {
            let imports: String =
                via.iter().map(|place| format!(", imported at {place}")).collect();
            format!("authored at {place}{imports}")
        }
        Basis::DocumentedDefault { source } => format!("documented default: {source}"),
        Basis::Assumed { why } => format!("assumed: {why}"),
        Basis::Unknown => "unknown: no published page says it".to_owned(),
    }
}
