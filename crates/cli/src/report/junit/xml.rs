//! XML that stays well-formed whatever stands in a text.

use super::text;

/// A document that is being written.
pub(super) struct Xml(String);

impl Xml {
    /// A document with its declaration.
    pub(super) fn new() -> Self {
        Self("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned())
    }

    /// An element and what is inside it.
    pub(super) fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, String)],
        inside: impl FnOnce(&mut Self),
    ) {
        self.open(name, attributes);
        let begin = self.0.len();
        inside(self);
        if self.0.len() == begin {
            self.0.truncate(begin - 2);
            self.0.push_str("/>\n");
        } else {
            self.close(name);
        }
    }

    /// An element that holds text.
    pub(super) fn leaf(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, String)],
        text: &str,
    ) {
        self.open(name, attributes);
        self.0.pop();
        self.0.extend(text.chars().map(escaped));
        self.close(name);
    }

    /// The whole document.
    pub(super) fn finish(self) -> String {
        self.0
    }

    fn open(&mut self, name: &'static str, attributes: &[(&'static str, String)]) {
        self.0.push('<');
        self.0.push_str(name);
        for (key, value) in attributes {
            self.0.push(' ');
            self.0.push_str(key);
            self.0.push_str("=\"");
            // A newline in an attribute would be read back as a blank.
            self.0.extend(value.chars().map(|c| match c {
                '\n' => "&#10;".into(),
                '\t' => "&#9;".into(),
                '\r' => "&#13;".into(),
                c => escaped(c),
            }));
            self.0.push('"');
        }
        self.0.push_str(">\n");
    }

    fn close(&mut self, name: &'static str) {
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push_str(">\n");
    }
}

/// One character, safe in text and in an attribute. What XML 1.0 cannot hold becomes a picture of it.
fn escaped(c: char) -> std::borrow::Cow<'static, str> {
    match c {
        '&' => "&amp;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '"' => "&quot;".into(),
        '\n' | '\t' => c.to_string().into(),
        '\u{0}'..='\u{1F}' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}').to_string().into()
        }
        '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => "\u{FFFD}".into(),
        c if text::is_direction(c) => "\u{FFFD}".into(),
        c => c.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_leave_its_element() {
        let mut xml = Xml::new();
        let attribute = [("name", "a\"b\n<c>&\u{1b}".to_owned())];
        xml.element("testcase", &attribute, |xml| {
            xml.leaf("failure", &[], "]]></failure>\u{0}\u{1b}[31m\u{ffff}");
        });
        let body = xml.finish();
        let body = body.split_once("?>\n").unwrap().1;
        assert_eq!(
            body,
            "<testcase name=\"a&quot;b&#10;&lt;c&gt;&amp;\u{241b}\">\n\
             <failure>]]&gt;&lt;/failure&gt;\u{2400}\u{241b}[31m\u{fffd}</failure>\n</testcase>\n"
        );
    }
}
