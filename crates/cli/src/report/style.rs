//! Which colours are used, and when any are.

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// What is wrong.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What may be wrong.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The way out.
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// A name in a line.
pub(crate) const STRONG: Style = Style::new().bold();
/// What can be passed over.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Decides for the whole program. `Auto` looks at each stream: no colour into a pipe, none with
/// `NO_COLOR`, `TERM=dumb` or `CLICOLOR=0`.
pub(crate) fn choose(color: Color) {
    match color {
        Color::Auto => {}
        Color::Always => ColorChoice::Always.write_global(),
        Color::Never => ColorChoice::Never.write_global(),
    }
}
