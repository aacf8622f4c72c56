//! Markup that no text can break: what others wrote goes through one door that escapes it, and only
//! literals of this program go in as they are.

use super::text;

/// Attributes: names are ours, values may be anybody's.
pub(super) type Attributes<'a> = [(&'static str, &'a str)];

/// A page that is being written.
pub(super) struct Page(String);

impl Page {
    pub(super) const fn new() -> Self {
        Self(String::new())
    }

    /// Markup of ours. The type keeps anything out that was not compiled in.
    pub(super) fn literal(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// One line of text.
    pub(super) fn text(&mut self, text: &str) {
        for c in text::plain(text).chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                c => self.0.push(c),
            }
        }
    }

    /// Text of several lines, for preformatted places.
    pub(super) fn lines<T: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = T>) {
        for line in lines {
            self.text(line.as_ref());
            self.0.push('\n');
        }
    }

    /// An element with what is inside it.
    pub(super) fn element(
        &mut self,
        tag: &'static str,
        attributes: &Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.void(tag, attributes);
        inside(self);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        // White space between inline elements would show.
        if !matches!(tag, "span" | "code" | "strong" | "a" | "td" | "th" | "rect" | "pre") {
            self.0.push('\n');
        }
    }

    /// An element with one line of text.
    pub(super) fn leaf(&mut self, tag: &'static str, attributes: &Attributes<'_>, text: &str) {
        self.element(tag, attributes, |page| page.text(text));
    }

    /// An element without an end.
    pub(super) fn void(&mut self, tag: &'static str, attributes: &Attributes<'_>) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            if !value.is_empty() {
                self.0.push_str("=\"");
                self.text(value);
                self.0.push('"');
            }
        }
        self.0.push('>');
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_become_markup() {
        let mut page = Page::new();
        page.leaf("p", &[("title", "\" onclick=\"x")], "</script><b>&\u{1b}[31m\u{0}'\u{202e}");
        assert_eq!(
            page.finish(),
            "<p title=\"&quot; onclick=&quot;x\">&lt;/script&gt;&lt;b&gt;&amp;&#39;\u{FFFD}</p>\n"
        );
    }
}
