//! Which format a file is: what stands in it decides, then where it lies.

use super::Standalone;
use crate::dialect::standalone;
use crate::fault::{At, Fault, quote};
use crate::yaml::{Map, Node, Span};
use crate::{Code, RepoPath};

/// A file that may be a definition.
pub(crate) struct Candidate<'c> {
    pub(crate) path: &'c RepoPath,
    pub(crate) map: &'c Map,
    /// The schema that the file's first comment names for editors.
    pub(crate) schema: Option<&'c str>,
}

/// How well a file fits a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It is of this format and of no other.
    Certain,
    /// It can be of this format; another may fit as well.
    Possible,
    /// It is of this format, but it is no environment; says what it is.
    OtherKind(String),
    /// It is not: how near it comes (0: not at all), and what is missing.
    Not { near: u8, why: String },
}

/// Which format, or why none.
pub(crate) enum Recognised {
    Format(&'static Standalone),
    /// A file of a dialect whose agents span files.
    Auto,
    Fault(Box<Fault>),
}

impl Candidate<'_> {
    /// Whether a part of the path is called so.
    pub(crate) fn lies_below(&self, folder: &str) -> bool {
        let mut parts = self.path.as_str().split('/').rev();
        parts.next();
        parts.any(|part| part == folder)
    }

    /// Whether the schema that the file names for editors is the dialect's.
    fn names(&self, dialect: &str) -> bool {
        self.schema.is_some_and(|schema| schema.to_ascii_lowercase().contains(dialect))
    }
}

/// The format of a file that somebody asked for.
pub(crate) fn recognise(candidate: &Candidate<'_>, root: &Node) -> Recognised {
    if candidate.lies_below(".auto") || is_agent(candidate.map) {
        return Recognised::Auto;
    }
    let named = standalone().find(|format| candidate.names(format.dialect.word()));
    let fits: Fits = standalone().map(|format| (format, (format.recognise)(candidate))).collect();
    if let Some(format) = named.or_else(|| of(&fits, &Fit::Certain).next()) {
        return Recognised::Format(format);
    }
    let span = candidate.map.entries().first().map_or(root.span(), |entry| entry.key.span);
    let possible: Vec<&'static Standalone> = of(&fits, &Fit::Possible).collect();
    match possible.as_slice() {
        [] => Recognised::Fault(Box::new(unknown(span, &fits))),
        [only] => Recognised::Format(only),
        several => Recognised::Fault(Box::new(ambiguous(span, several))),
    }
}

/// Whether a file that lies where the format's files are found is one of them.
pub(crate) fn is_of(format: &Standalone, candidate: &Candidate<'_>) -> bool {
    if let Some(named) = standalone().find(|format| candidate.names(format.dialect.word())) {
        return named.dialect == format.dialect;
    }
    matches!((format.recognise)(candidate), Fit::Certain | Fit::Possible)
}

/// Whether a text that is no YAML has `mark` for a key, as a line of YAML or of JSON writes it.
pub(crate) fn is_meant(text: &str, mark: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches([' ', '\t', '{', ',', '"', '\'']);
        let behind = line.strip_prefix(mark).unwrap_or_default();
        behind.trim_start_matches(['"', '\'', ' ']).starts_with(':')
    })
}

type Fits = Vec<(&'static Standalone, Fit)>;

fn of<'f>(fits: &'f Fits, wanted: &'f Fit) -> impl Iterator<Item = &'static Standalone> + 'f {
    fits.iter().filter(move |(_, fit)| fit == wanted).map(|(format, _)| *format)
}

/// Whether this is an agent of auto: its environment stands inside it.
fn is_agent(map: &Map) -> bool {
    let is_environment = map
        .get("environment")
        .and_then(|entry| entry.value.as_map())
        .is_some_and(|map| map.get("image").is_some() || map.get("steps").is_some());
    map.get("ellipsis").is_none() && (map.get("harness").is_some() || is_environment)
}

fn ambiguous(span: Span, formats: &[&Standalone]) -> Fault {
    let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
    let flags: Vec<String> =
        formats.iter().map(|format| format!("`--dialect {}`", format.dialect.word())).collect();
    let message = format!("this can be an environment of {}", names.join(" or of "));
    Fault::new(Code::DialectAmbiguous, span, message)
        .expected("a file that says which of them it is")
        .hint(format!("give {}", flags.join(" or ")))
}

fn unknown(span: Span, fits: &Fits) -> Fault {
    let other = fits.iter().find_map(|(format, fit)| match fit {
        Fit::OtherKind(what) => Some((format, what)),
        Fit::Certain | Fit::Possible | Fit::Not { .. } => None,
    });
    if let Some((format, what)) = other {
        let message = format!("this is {what} of {}, not an environment", format.name);
        return Fault::new(Code::NotAnEnvironment, span, message)
            .expected("an environment")
            .hint("name the environment's own file");
    }
    let nearest = fits.iter().filter_map(|(format, fit)| match fit {
        Fit::Not { near, why } if *near > 0 => Some((near, format, why)),
        Fit::Not { .. } | Fit::Certain | Fit::Possible | Fit::OtherKind(_) => None,
    });
    match nearest.max_by_key(|(near, ..)| **near) {
        Some((_, format, why)) => {
            let message =
                format!("the file fits no format; the nearest is {}, but {why}", format.name);
            Fault::new(Code::DialectUnknown, span, message).hint(format!(
                "mend that, or say what it is with `--dialect {}`",
                format.dialect.word()
            ))
        }
        None => {
            let message = "the file has nothing that a definition of an environment has";
            Fault::new(Code::DialectUnknown, span, message)
                .expected("a definition of auto, Ellipsis, Qoder or Claude")
        }
    }
}

/// The fault of a file whose value is no mapping.
pub(crate) fn no_mapping(path: &RepoPath, root: &Node) -> Fault {
    let kind = crate::check::kind(root);
    let code = if root.as_list().is_some() { Code::NotAnEnvironment } else { Code::DialectUnknown };
    let at = At::Span(root.span());
    Fault::anywhere(code, at, format!("{} holds {kind}", quote(path.as_str())))
        .expected("a mapping with the fields of one environment")
}

/// The schema that a comment among the first lines names for editors.
pub(crate) fn schema_of(text: &str) -> Option<&str> {
    text.lines().take(5).filter_map(|line| line.trim_start().strip_prefix('#')).find_map(
        |comment| {
            let (_, schema) = comment.split_once("$schema=")?;
            schema.split_whitespace().next()
        },
    )
}
