//! What usually lies behind a fault in YAML itself.

use super::{Scalar, Span, Style};
use crate::Code;
use crate::fault::Fault;

/// What usually lies behind a syntax error, judged by the parser's words and the line it stopped at.
pub(super) fn syntax_hint(words: &str, line: &str) -> Option<&'static str> {
    let indent_holds_tab = line.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\t');
    if indent_holds_tab {
        return Some("indent with spaces; YAML allows no tab there");
    }
    if words.contains("flow") {
        return Some("close every `[` and `{`, with a comma between the items");
    }
    if words.contains("quoted") {
        return Some(
            "close the quote; a `\"` inside double quotes is written `\\\"`, a `'` inside single ones `''`",
        );
    }
    if words.contains("mapping values") {
        return Some(if line.matches(": ").count() > 1 {
            "put a text that holds `: ` into quotes, or into a `|` block"
        } else {
            "indent the line like its neighbours, and look for a missing `:` above it"
        });
    }
    None
}

/// A key that swallowed what its author took for a comment: `"name": "x", // why`.
pub(super) fn comment_of_another_language(key: &Scalar, span: Span) -> Option<Fault> {
    let mark = ["//", "/*"].into_iter().find(|mark| key.text.starts_with(mark))?;
    (key.style == Style::Plain).then(|| {
        Fault::new(Code::YamlKey, span, format!("`{mark}` begins no comment: it is read as a key"))
            .expected("a name")
            .hint("YAML's comments begin with ` #`; JSON has none")
    })
}

/// An unquoted text that ends at ` #` inside what its author took for quotes.
pub(super) fn cut_by_comment(text: &str, scalar: &Scalar, span: Span) -> Option<Fault> {
    if scalar.style != Style::Plain || !scalar.text.contains(['"', '\'']) {
        return None;
    }
    let behind = text.get(span.offset as usize..)?.strip_prefix(&*scalar.text)?;
    let comment = super::lines(behind).next()?.trim_start().strip_prefix('#')?;
    let open = |quote: char| {
        let odd = |text: &str| text.matches(quote).count() % 2 == 1;
        odd(&scalar.text) && odd(comment)
    };
    (open('"') || open('\'')).then(|| {
        let message = "the text ends here: YAML takes ` #` and what follows for a comment";
        let gap = behind.len() - behind.trim_start().len();
        let chars = scalar.text.chars().count() + gap;
        let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let at = Span {
            column: span.column.saturating_add(narrow(chars)),
            offset: span.offset.saturating_add(narrow(scalar.text.len() + gap)),
            len: 0,
            ..span
        };
        Fault::new(Code::CutByComment, at, message)
            .expected("the whole text in quotes")
            .hint("put the whole text into quotes, or below a `|`")
    })
}
