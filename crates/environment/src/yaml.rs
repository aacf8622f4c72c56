//! YAML with places: what a definition file says, and where.

/// The lines of a text as the YAML reader counts them: `\n`, `\r\n` and a lone `\r` end one.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return Some(text);
        };
        let newline = if text[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[end + newline..]);
        Some(&text[..end])
    })
}
