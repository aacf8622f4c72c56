//! `drydock.toml`: what a repository always wants checked, and the cases of its matrix.

pub(crate) mod matrix;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use environment::{Dialect, ImageRef, Listed, RepoPath, Source, SourceError};
use serde::{Deserialize, Deserializer, de};

use crate::fault::Fault;

/// The file's name, at the repository's root.
pub(crate) const FILE: &str = "drydock.toml";

/// More than any such file needs; beyond it the file is refused.
const LIMIT_BYTES: u64 = 256 * 1024;

/// The settings of a repository. Unknown keys are refused, so that a slip is not silently nothing.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Commands that must pass in the finished environment, in order.
    #[serde(deserialize_with = "commands")]
    pub(crate) smoke: Vec<String>,
    /// The cases of `drydock matrix`.
    pub(crate) matrix: matrix::Matrix,
    /// Other stand-ins for the platforms' own images: `[stand-in]` with `qoder = "…"`.
    #[serde(rename = "stand-in")]
    pub(crate) stand_ins: BTreeMap<Dialect, ImageRef>,
    /// Definitions where no platform looks for them: `[[definition]]` with `file` and `dialect`.
    #[serde(rename = "definition")]
    pub(crate) definitions: Vec<Listed>,
}

/// A smoke command. One that runs nothing would pass, and prove nothing.
pub(crate) fn command(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("an empty command proves nothing: write one, or leave it out".to_owned());
    }
    Ok(text.to_owned())
}

fn commands<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let all = Vec::<String>::deserialize(deserializer)?;
    all.iter().try_for_each(|text| command(text).map(drop)).map_err(de::Error::custom)?;
    Ok(all)
}

/// A `drydock.toml` of this machine: its text is kept, so that a slip can be named by its place.
pub(crate) struct File {
    /// Its name, as it was given.
    name: String,
    text: String,
    /// What it says.
    pub(crate) config: Config,
}

impl File {
    /// Reads it.
    pub(crate) fn read(path: &Path) -> Result<Self, Fault> {
        let name = path.display().to_string();
        let unreadable = |reason: String| {
            Fault::usage(format!("{name}: {reason}"))
                .hint("give a file with `[[matrix.case]]` as `--file`; see `drydock matrix --help`")
        };
        let length = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
        if length > LIMIT_BYTES {
            return Err(unreadable(format!("larger than {LIMIT_BYTES} bytes")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        let config = Config::parse(&name, &text)?;
        Ok(Self { name, text, config })
    }

    /// A fault at a place of it.
    pub(crate) fn fault(&self, span: &Range<usize>, message: &str) -> Fault {
        let (line, column) = place(&self.text, span.start);
        Fault::usage(format!("{}:{line}:{column}: {message}", self.name))
    }
}

impl Config {
    /// Reads the file out of `source`; a repository without one has the defaults.
    pub(crate) fn read(source: &dyn Source) -> Result<Self, Fault> {
        let path = RepoPath::new(FILE).map_err(Fault::ours)?;
        let bytes = match source.read(&path, LIMIT_BYTES) {
            Ok(bytes) => bytes,
            Err(SourceError::NotFound) => return Ok(Self::default()),
            Err(error) => return Err(Fault::usage(format!("{FILE}: {}", reason(&error)))),
        };
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            Fault::usage(format!("{FILE}: not UTF-8 at byte {}", error.valid_up_to()))
        })?;
        Self::parse(FILE, text)
    }

    fn parse(name: &str, text: &str) -> Result<Self, Fault> {
        toml::from_str(text).map_err(|error| {
            let (line, column) = place(text, error.span().map_or(0, |span| span.start));
            Fault::usage(format!("{name}:{line}:{column}: {}", error.message().replace('\n', "; ")))
                .hint("it holds `smoke = [\"make test\"]` and `[[matrix.case]]`; see `drydock matrix --help`")
        })
    }
}

/// Line and column of a byte offset, both from 1.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// Why a file cannot be had, as a fragment.
pub(crate) fn reason(error: &SourceError) -> String {
    match error {
        SourceError::NotFound => "does not exist".to_owned(),
        SourceError::NotAFile => "is not a file".to_owned(),
        SourceError::LeavesRepository => "is a link that leaves the repository".to_owned(),
        SourceError::TooLarge(limit) => format!("is larger than {limit} bytes"),
        SourceError::Io(words) => words.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoke_commands_are_read_and_slips_are_refused_at_their_place() {
        let smoke = |text: &str| Config::parse(FILE, text).map(|config| config.smoke);
        assert_eq!(
            smoke("smoke = ['make test', 'make lint']").unwrap(),
            ["make test", "make lint"]
        );
        assert_eq!(smoke("").unwrap(), [""; 0]);
        for (text, place) in [
            ("smokes = []", "drydock.toml:1:1: unknown field `smokes`"),
            ("\nsmoke = 'make'", "drydock.toml:2:9: invalid type"),
            ("smoke = [", "drydock.toml:1:"),
            ("smoke = ['make', ' ']", "drydock.toml:1:9: an empty command proves nothing"),
            ("[[matrix.case]]\nsmoke = ['']", "drydock.toml:2:9: an empty command"),
            ("[stand-in]\nqoder = 'a b'", "drydock.toml:2:9: "),
            ("[stand-in]\nother = 'a'", "drydock.toml:2:1: unknown variant `other`"),
            ("[[definition]]\nfile = '../x'", "drydock.toml:2:8: not a path inside"),
            ("[[matrix.case]]\nbas = 'x'", "drydock.toml:2:1: unknown field `bas`"),
            ("[[matrix.case]]\nexpect = 'contract-glib'", "drydock.toml:2:10: no such code"),
            ("[[matrix.case]]\nbase = []", "drydock.toml:2:8: an empty list tries nothing"),
            ("[[matrix.case]]\nbase = 3", "drydock.toml:2:8: invalid type"),
            ("[[matrix.case]]\ntime-limit = 'soon'", "drydock.toml:2:14: `soon` is no time"),
        ] {
            let message = Config::parse(FILE, text).unwrap_err().message;
            assert!(message.starts_with(place), "{message}");
        }
    }
}
