//! A repository that cases are about: its commit, and what its definitions come to, read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use environment::{RepoPath, Source};

use crate::commands::check::{checkout, dirty};
use crate::config::Config;
use crate::definitions::{Definitions, Format};
use crate::fault::Fault;
use crate::repository::Repository;
use crate::sources::{CommitSource, WorkingTree};
use crate::target;

/// The longest definition file whose text is recorded, in bytes; a longer one is shown without it.
const LONGEST: u64 = 256 * 1024;

/// Which definitions are read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The commit.
    pub(crate) rev: String,
    /// Whether definitions come from the working tree instead.
    pub(crate) allow_dirty: bool,
}

/// A repository that cases are about.
pub(super) struct Subject {
    /// Its folder, seen from the matrix file's; empty for its own.
    pub(super) folder: String,
    /// Its root.
    pub(super) root: PathBuf,
    /// Its commit.
    pub(super) commit: String,
    /// What people call it.
    pub(super) name: String,
    /// Smoke commands that it always wants.
    pub(super) smoke: Vec<String>,
    /// What its targets come to, in the order in which they were asked for.
    pub(super) readings: Vec<Read>,
    /// The definition files' texts.
    pub(super) files: BTreeMap<RepoPath, String>,
}

/// What one target comes to.
pub(super) struct Read {
    /// The target; all environments when there is none.
    pub(super) target: Option<String>,
    /// What it comes to.
    pub(super) definitions: Definitions,
}

impl Subject {
    /// Opens the repository in `folder` (relative to `home`) and reads these targets.
    pub(super) async fn open(
        home: &Path,
        folder: &str,
        targets: &[Option<String>],
        reading: &Reading,
    ) -> Result<Self, Fault> {
        let place = home.join(folder);
        let refused = |reason: &str| Fault::usage(format!("{}: {reason}", place.display()));
        let repository = Repository::find(&place).map_err(|error| refused(&error.to_string()))?;
        if !repository.is_git() {
            return Err(refused("no git repository")
                .hint("the matrix tries commits; run `git init` there and commit"));
        }
        let own = place.canonicalize().is_ok_and(|place| place == repository.root());
        if !folder.is_empty() && !own {
            return Err(refused("not the root of a git repository")
                .hint("name a repository of its own; agents of one repository are told apart by `environment`"));
        }
        let commit = repository.commit(&reading.rev)?;
        let source: Box<dyn Source> = if reading.allow_dirty {
            Box::new(WorkingTree::open(repository.tree()?).map_err(|e| refused(&e.to_string()))?)
        } else {
            Box::new(CommitSource::open(&repository, &commit).map_err(|e| refused(&e.to_string()))?)
        };
        let config = Config::read(source.as_ref())?;
        let options = Format::default().options(&config, repository.slug());
        let smoke = config.smoke;
        let mut readings = Vec::new();
        let mut files = BTreeMap::new();
        for name in targets {
            let target = target::parse(&repository, name.as_deref())?;
            let mut definitions = Definitions::read(source.as_ref(), &target, &options);
            if reading.rev == "HEAD" && !reading.allow_dirty {
                dirty::refuse(&repository, &target, &definitions, &options)?;
            }
            let more = checkout::findings(&repository, &commit, &definitions).await?;
            definitions.findings.extend(more);
            for path in definitions.files() {
                if let Ok(bytes) = source.read(&path, LONGEST) {
                    files.insert(path, String::from_utf8_lossy(&bytes).into_owned());
                }
            }
            readings.push(Read { target: name.clone(), definitions });
        }
        let (root, name) = (repository.root().to_owned(), repository.name());
        drop(source);
        Ok(Self { folder: folder.to_owned(), root, commit, name, smoke, readings, files })
    }
}
