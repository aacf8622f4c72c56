//! Where a value comes from, in words that never let a default look authored.

use environment::{Basis, Place};

use super::printable;

/// The words.
pub(super) fn origin(basis: &Basis) -> String {
    match basis {
        Basis::Authored { place, via } => {
            let mut words = at(place);
            // The last import on the way is the one that an author looks for.
            if let Some(import) = via.last() {
                words.push_str(&format!(", imported at {}", at(import)));
            }
            words
        }
        Basis::DocumentedDefault { source } => format!("documented default ({source})"),
        Basis::Assumed { why } => format!("assumed: {why}"),
        Basis::Unknown => "not published".to_owned(),
    }
}

/// File and line, on one line: a file's name may hold anything.
pub(super) fn at(place: &Place) -> String {
    format!("{}:{}", printable(place.file.as_str()), place.line)
}
