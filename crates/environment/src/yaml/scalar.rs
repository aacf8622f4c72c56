//! Scalars: YAML 1.2 core types, what YAML 1.1 would have made of them, and how they stand in the file.

use crate::TextShape;

use super::Span;

/// A text, number, boolean or nothing.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    /// The text after quotes, escapes and folding.
    pub(crate) text: Box<str>,
    /// What YAML 1.2's core schema reads it as.
    pub(crate) core: Core,
    /// How it is written.
    pub(crate) style: Style,
}

/// The types of YAML 1.2's core schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Core {
    Null,
    Bool,
    Int,
    Float,
    Text,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Quoted,
    Literal,
    Folded,
}

impl Core {
    /// The type of an unquoted text.
    pub(crate) fn of_plain(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => Self::Null,
            "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Self::Bool,
            text if is_int(text) => Self::Int,
            text if is_float(text) => Self::Float,
            _ => Self::Text,
        }
    }

    /// The type's name with its article.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool => "a boolean",
            Self::Int | Self::Float => "a number",
            Self::Text => "a text",
        }
    }
}

impl Scalar {
    /// What YAML 1.1 reads this as, where that differs from YAML 1.2's text.
    pub(crate) fn yaml_1_1_trap(&self) -> Option<&'static str> {
        if self.style != Style::Plain || self.core != Core::Text || self.text.len() > 40 {
            return None;
        }
        let text = &*self.text;
        if !text.starts_with(|c: char| c.is_ascii_digit() || "yYnNoO+-".contains(c)) {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let one_case = text == lower || text == text.to_ascii_uppercase() || is_capitalised(text);
        if one_case && matches!(&*lower, "y" | "n" | "yes" | "no" | "on" | "off") {
            return Some("a boolean");
        }
        if is_base_60(text) {
            return Some("a number in base 60");
        }
        if is_date(text) {
            return Some("a date");
        }
        let digits = text.trim_start_matches(['+', '-']);
        let separated = digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.contains('_')
            && digits.chars().all(|c| c.is_ascii_digit() || c == '_' || c == '.');
        let binary = digits.strip_prefix("0b");
        let is_binary = binary.is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|b| matches!(b, b'0' | b'1' | b'_'))
        });
        (separated || is_binary).then_some("a number")
    }

    /// The value, if this is a whole number that fits: `8192`, `0x10`, `2.0`.
    pub(crate) fn whole_number(&self) -> Option<i128> {
        let text = &*self.text;
        match self.core {
            Core::Int => match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
                (Some(hex), _) => i128::from_str_radix(hex, 16).ok(),
                (_, Some(octal)) => i128::from_str_radix(octal, 8).ok(),
                _ => text.parse().ok(),
            },
            Core::Float => {
                let (whole, fraction) = text.split_once('.')?;
                fraction.bytes().all(|b| b == b'0').then(|| whole.parse().ok())?
            }
            Core::Null | Core::Bool | Core::Text => None,
        }
    }

    /// The value, if this is a boolean.
    pub(crate) fn boolean(&self) -> Option<bool> {
        (self.core == Core::Bool).then(|| self.text.eq_ignore_ascii_case("true"))
    }

    /// How this scalar, which starts at `span` in the file's `text`, stands there.
    pub(crate) fn shape(&self, text: &str, span: Span) -> TextShape {
        let from_start = text.get(span.offset as usize..).unwrap_or("");
        match self.style {
            Style::Plain if from_start.starts_with(&*self.text) => {
                inline_if_one_line(&self.text, span.column)
            }
            Style::Quoted
                if from_start.get(1..).is_some_and(|rest| rest.starts_with(&*self.text)) =>
            {
                inline_if_one_line(&self.text, span.column.saturating_add(1))
            }
            Style::Literal => self.literal_shape(text, span).unwrap_or(TextShape::Opaque),
            Style::Plain | Style::Quoted | Style::Folded => TextShape::Opaque,
        }
    }

    /// Finds the block's first line that is not blank. The span is on that line already, or on the
    /// line of the `|` where an anchor or a tag stands in front of it.
    fn literal_shape(&self, text: &str, span: Span) -> Option<TextShape> {
        let (blank, shown) =
            self.text.split('\n').enumerate().find(|(_, line)| !line.trim().is_empty())?;
        let line_start =
            text.get(..span.offset as usize)?.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let mut written = super::lines(&text[line_start..]).take(blank + 2).enumerate();
        let (below, indent) = written.find_map(|(below, line)| {
            let indent = line.strip_suffix(shown)?;
            indent.trim().is_empty().then_some((below, indent.len()))
        })?;
        let line = (span.line as usize + below).checked_sub(blank)?;
        Some(TextShape::Literal {
            first_line: u32::try_from(line).ok()?,
            column: u32::try_from(indent + 1).ok()?,
        })
    }
}

fn inline_if_one_line(text: &str, column: u32) -> TextShape {
    if text.contains(['\n', '\r']) { TextShape::Opaque } else { TextShape::Inline { column } }
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `[-+]?[0-9]+ | 0o[0-7]+ | 0x[0-9a-fA-F]+`
fn is_int(text: &str) -> bool {
    if let Some(octal) = text.strip_prefix("0o") {
        return !octal.is_empty() && octal.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    all_digits(text.strip_prefix(['+', '-']).unwrap_or(text))
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? | [-+]?\.(inf|Inf|INF) | \.(nan|NaN|NAN)`
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let good_exponent = exponent
        .is_none_or(|exponent| all_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)));
    let good_mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => all_digits(fraction),
        Some((whole, fraction)) => {
            all_digits(whole) && (fraction.is_empty() || all_digits(fraction))
        }
        None => all_digits(mantissa),
    };
    good_mantissa && good_exponent
}

fn is_capitalised(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_ascii_uppercase())
        && chars.all(|c| c.is_ascii_lowercase())
}

/// YAML 1.1: `[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+`
fn is_base_60(text: &str) -> bool {
    let mut parts = text.strip_prefix(['+', '-']).unwrap_or(text).split(':');
    let first = parts.next().is_some_and(|part| all_digits(part) && !part.starts_with('0'));
    let mut rest = parts.peekable();
    first
        && rest.peek().is_some()
        && rest.all(|part| all_digits(part) && part.len() <= 2 && part < "60")
}

/// YAML 1.1's short timestamp: `2024-01-31`, or a longer one that starts like it.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    digits(0..4)
        && digits(5..7)
        && digits(8..10)
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && matches!(bytes.get(10), None | Some(b'T' | b't' | b' '))
}
