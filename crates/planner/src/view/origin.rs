//! Where a value comes from, in words that never let a default look authored.

use environment::Basis;

/// The words.
pub(super) fn origin(basis: &Basis) -> String {
    match basis {
        Basis::Authored { place, via } => {
            let mut words = format!("{}:{}", place.file, place.line);
            // The last import on the way is the one that an author looks for.
            if let Some(import) = via.last() {
                words.push_str(&format!(", imported at {}:{}", import.file, import.line));
            }
            words
        }
        Basis::DocumentedDefault { source } => format!("documented default ({source})"),
        Basis::Assumed { why } => format!("assumed: {why}"),
        Basis::Unknown => "not published".to_owned(),
    }
}
