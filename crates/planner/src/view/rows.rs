//! Rows of three columns: what, its value, where it comes from.

use std::fmt::Write as _;

/// How wide a value may be before the third column goes to a line of its own.
const VALUE: usize = 44;

/// Rows so far.
#[derive(Default)]
pub(super) struct Rows(Vec<[String; 3]>);

impl Rows {
    pub(super) fn add(&mut self, what: &str, value: impl Into<String>, origin: impl Into<String>) {
        self.0.push([what.to_owned(), value.into(), origin.into()]);
    }

    /// The rows, aligned.
    pub(super) fn text(&self) -> String {
        let width = |text: &str| text.chars().count();
        let first = self.0.iter().map(|[what, ..]| width(what)).max().unwrap_or(0);
        let fits = |[_, value, origin]: &&[String; 3]| !origin.is_empty() && width(value) <= VALUE;
        let second =
            self.0.iter().filter(fits).map(|[_, value, _]| width(value)).max().unwrap_or(0);
        let mut text = String::new();
        for [what, value, origin] in &self.0 {
            let line = if width(value) > VALUE && !origin.is_empty() {
                format!("{what:first$}  {value}\n{:first$}  {:second$}  {origin}", "", "")
            } else {
                format!("{what:first$}  {value:second$}  {origin}")
            };
            for line in line.lines() {
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }
}
