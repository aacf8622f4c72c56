//! Definition files to a [`ResolvedEnvironment`] and [`Finding`]s.
//!
//! Pure: files come in through [`Source`], what was found goes out as data. Nothing here knows
//! Docker, a plan, or the terminal.

mod auto;
mod check;
mod claude;
mod code;
mod dialect;
mod ellipsis;
mod excerpt;
mod explain;
mod fault;
mod files;
mod finding;
mod image_ref;
mod limits;
mod model;
mod name;
mod network;
mod packages;
mod place;
mod qoder;
mod report;
mod shape;
mod source;
mod standalone;
mod text;
mod trace;
mod yaml;

pub use code::{Code, Severity};
pub use dialect::{Listed, Options, path_patterns};
pub use excerpt::fill_excerpts;
pub use explain::{Explained, explain, field_at};
pub use finding::{Excerpt, Finding, Related};
pub use image_ref::{ImageRef, ImageRefError, ImageRefFault};
pub use model::{
    Account, Accounts, Assumption, Base, Basis, Body, Cache, Checkout, Compute, Dialect, Network,
    OnFailure, OnMissing, Origin, Persists, Preset, Repeat, ResolvedEnvironment, Reuse, ReuseLayer,
    Scope, SourceFile, Sourced, Stage, StageKind, Trigger, Variable, VariableLayer, VariableValue,
    Workdir,
};
pub use name::{EnvKey, NameError, ResourceName, SecretName, StageId};
pub use place::Place;
pub use shape::rows::FieldRow;
pub use source::{MapSource, RepoPath, Source, SourceError};
pub use text::{Text, TextShape};

use dialect::{FORMATS, Request};
use fault::{nearest, quote};
use files::Files;

/// What to resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Every environment of the repository.
    All,
    /// The agent or the environment of this name.
    Name(String),
    /// The agent defined in this file.
    File(RepoPath),
}

/// What [`resolve`] returns: whatever could be resolved, and everything that was found.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    /// One per agent that reaches an environment, in the order of the agents' files.
    pub environments: Vec<ResolvedEnvironment>,
    /// What could be read of environments that the platform refuses, so that whoever looks further along
    /// finds all of their faults in one run.
    pub refused: Vec<ResolvedEnvironment>,
    /// All findings, in the order of file, line and column.
    pub findings: Vec<Finding>,
}

/// Resolves the definitions behind `source`.
///
/// Never stops at the first fault: an environment that has an error is left out of
/// [`Resolution::environments`], stands in [`Resolution::refused`] as far as it could be read, and everything found is in [`Resolution::findings`].
#[must_use]
pub fn resolve(source: &dyn Source, target: &Target) -> Resolution {
    resolve_with(source, target, &Options::default())
}

/// Resolves the definitions behind `source`, and is told more than the target.
#[must_use]
pub fn resolve_with(source: &dyn Source, target: &Target, options: &Options) -> Resolution {
    let mut files = Files::new(source);
    let mut resolution = Resolution::default();
    let mut names = Vec::new();
    let mut matched = false;
    let asked = match target {
        Target::File(path) => standalone::which(&mut files, path, options),
        Target::All | Target::Name(_) => Ok(options.dialect),
    };
    let asked = match asked {
        Ok(asked) => asked,
        Err(findings) => {
            resolution.findings = findings;
            return resolution;
        }
    };
    let (options, mut refused) = standalone::listed(&mut files, target, options);
    let request = Request { target, options: &options };
    for format in FORMATS.iter().filter(|format| asked.is_none_or(|one| one == format.dialect)) {
        let answer = format.resolve(&mut files, &request);
        matched |= answer.matched;
        names.extend(answer.names);
        resolution.environments.extend(answer.environments);
        resolution.refused.extend(answer.refused);
        resolution.findings.extend(answer.findings);
    }
    matched |= !refused.is_empty();
    resolution.findings.append(&mut refused);
    if !matched {
        resolution.findings.insert(0, nothing(target, &names));
    }
    resolution
}

/// The JSON schema of a dialect's definitions, for editors.
#[must_use]
pub fn schema(dialect: Dialect) -> serde_json::Value {
    dialect::row(dialect)
        .map_or(serde_json::Value::Null, |format| shape::schema::schema(format.fields))
}

/// Every field of a dialect's definitions.
#[must_use]
pub fn fields(dialect: Dialect) -> Vec<FieldRow> {
    dialect::row(dialect).map_or_else(Vec::new, |format| shape::rows::rows(format.fields))
}

/// The finding that the target means nothing here.
fn nothing(target: &Target, names: &[String]) -> Finding {
    let homes: Vec<&str> = FORMATS.iter().map(|format| format.home).collect();
    let shown: Vec<&str> = names.iter().map(String::as_str).take(20).collect();
    let known = if shown.is_empty() { None } else { Some(check::one_of(&shown)) };
    let (code, message, near) = match target {
        Target::All => (Code::NoDefinitions, String::from("there is no agent definition"), None),
        Target::Name(name) => (
            Code::TargetNotFound,
            format!("no agent or environment is named {}", quote(name)),
            nearest(name, names.iter().map(String::as_str)),
        ),
        Target::File(path) => (Code::TargetNotFound, format!("there is no file `{path}`"), None),
    };
    let hint = match near {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if names.is_empty() => Some(format!("write an agent in {}", check::one_of(&homes))),
        None => None,
    };
    Finding {
        code,
        severity: code.severity(),
        place: None,
        message,
        expected: known.filter(|_| code == Code::TargetNotFound),
        hint,
        excerpt: None,
        related: Vec::new(),
    }
}
