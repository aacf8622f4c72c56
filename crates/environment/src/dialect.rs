//! The formats that can be read: one row each, one folder each.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::files::Files;
use crate::shape::Object;
use crate::standalone::{self, Standalone};
use crate::{
    Dialect, Finding, ImageRef, RepoPath, ResolvedEnvironment, Target, auto, claude, ellipsis,
    qoder,
};

/// A definition format.
pub(crate) struct Format {
    pub(crate) dialect: Dialect,
    /// Its word on the command line, in settings and in the addresses of schemas.
    pub(crate) word: &'static str,
    /// Where its definitions live, for the finding that there are none.
    pub(crate) home: &'static str,
    /// The fields of a definition.
    pub(crate) fields: &'static Object,
    pub(crate) kind: Kind,
}

/// How the definitions of a format are laid out.
pub(crate) enum Kind {
    /// Agents, fragments and the environments in them span files: the format reads the repository itself.
    Bundle(fn(&mut Files<'_>, &Target) -> Answer),
    /// One file, one environment.
    Standalone(&'static Standalone),
}

/// What is asked of a format.
pub(crate) struct Request<'r> {
    pub(crate) target: &'r Target,
    pub(crate) options: &'r Options,
}

/// What a run is told beside its target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The format of the target's file; recognised from the file when left out.
    pub dialect: Option<Dialect>,
    /// `owner/name` of the repository at hand, where it is known: some platforms add it to every session.
    pub repository: Option<String>,
    /// Other stand-ins for the platforms' own images.
    pub stand_ins: BTreeMap<Dialect, ImageRef>,
    /// Definitions that lie where no platform looks for them.
    pub listed: Vec<Listed>,
}

/// A definition that the settings name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// Its format; recognised from the file when left out.
    #[serde(default)]
    pub dialect: Option<Dialect>,
}

/// What a format has to say about a target.
#[derive(Default)]
pub(crate) struct Answer {
    /// What could be resolved.
    pub(crate) environments: Vec<ResolvedEnvironment>,
    /// What could be read of those that have an error.
    pub(crate) refused: Vec<ResolvedEnvironment>,
    /// What was found.
    pub(crate) findings: Vec<Finding>,
    /// Whether the target is one of this format's.
    pub(crate) matched: bool,
    /// The names that a target could have had here.
    pub(crate) names: Vec<String>,
}

/// All formats, in the order in which they are asked.
pub(crate) const FORMATS: &[Format] =
    &[auto::FORMAT, ellipsis::FORMAT, qoder::FORMAT, claude::FORMAT];

impl Format {
    pub(crate) fn resolve(&self, files: &mut Files<'_>, request: &Request<'_>) -> Answer {
        match self.kind {
            Kind::Bundle(resolve) => resolve(files, request.target),
            Kind::Standalone(format) => standalone::resolve(format, files, request),
        }
    }
}

/// The formats whose files stand alone.
pub(crate) fn standalone() -> impl Iterator<Item = &'static Standalone> {
    FORMATS.iter().filter_map(|format| match format.kind {
        Kind::Standalone(format) => Some(format),
        Kind::Bundle(_) => None,
    })
}

/// Where definitions are found, as patterns of paths that continuous integration understands.
#[must_use]
pub fn path_patterns() -> Vec<String> {
    let below = |folder: &str| format!("{folder}/**/*");
    let mut patterns: Vec<String> = Vec::new();
    for format in FORMATS {
        match format.kind {
            // Fragments lie beside the agents.
            Kind::Bundle(_) => patterns.extend(format.home.split('/').next().map(below)),
            Kind::Standalone(format) => {
                patterns.extend(format.folders.iter().map(|folder| below(folder)));
                patterns.extend(format.files.iter().map(|file| (*file).to_owned()));
            }
        }
    }
    patterns
}

/// The row of a dialect.
pub(crate) fn row(dialect: Dialect) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.dialect == dialect)
}

impl Dialect {
    /// Every dialect.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|format| format.dialect)
    }

    /// Its word on the command line and in settings.
    #[must_use]
    pub fn word(self) -> &'static str {
        row(self).map_or("", |format| format.word)
    }
}

impl std::str::FromStr for Dialect {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        let known = FORMATS.iter().find(|format| format.word == word);
        known.map(|format| format.dialect).ok_or_else(|| {
            let words: Vec<&str> = FORMATS.iter().map(|format| format.word).collect();
            format!("expected {}", crate::check::one_of(&words))
        })
    }
}
