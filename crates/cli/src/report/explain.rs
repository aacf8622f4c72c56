//! `plan --explain`: where a value comes from, and what the published page says of its field.

use std::fmt::Write as _;

use environment::{Basis, Explained, FieldRow, ResolvedEnvironment, Source};

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
        let basis = one.basis.as_ref().map_or_else(by_format, basis);
        let _ = writeln!(words, "{} = {}\n  {}", one.pointer, plain(value), plain(&basis));
        if let Some(Basis::Authored { place, .. }) = &one.basis
            && let Some(row) = environment::field_at(source, dialect, place)
        {
            let _ = writeln!(words, "  as {}: {}", row.path, row.page);
        }
    }
    let wanted = field_path(pointer);
    let all = environment::explain(environment, "");
    for row in environment::fields(dialect).iter().filter(|row| is_path(&row.path, &wanted)) {
        field(&mut words, row);
        let written = |one: &&Explained| match &one.basis {
            Some(Basis::Authored { place, .. }) => environment::field_at(source, dialect, place)
                .is_some_and(|found| found.path == row.path),
            _ => false,
        };
        for one in all.iter().filter(written) {
            let basis = one.basis.as_ref().map_or_else(by_format, basis);
            let _ = writeln!(words, "  {}: {}", one.pointer, plain(&basis));
        }
    }
    (!words.is_empty()).then_some(words)
}

/// The fields that a pointer may have meant: those that end as it does.
pub(crate) fn near(environment: &ResolvedEnvironment, pointer: &str) -> Vec<String> {
    let wanted = field_path(pointer);
    let Some(last) = wanted.last() else { return Vec::new() };
    let rows = environment::fields(environment.origin.dialect);
    let paths = rows.iter().map(|row| names(&row.path).collect::<Vec<_>>());
    let meant = paths.filter(|path| path.last() == Some(last));
    meant.take(3).map(|path| format!("/{}", path.join("/"))).collect()
}

/// Whether a field's path (`repositories[].name`, `env.*`) is this one.
fn is_path(path: &str, wanted: &[&str]) -> bool {
    let names: Vec<&str> = names(path).collect();
    names.len() == wanted.len()
        && names.iter().zip(wanted).all(|(name, wanted)| *name == "*" || name == wanted)
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').map(|part| part.trim_end_matches("[]"))
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

fn by_format() -> String {
    "follows from the format".to_owned()
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
