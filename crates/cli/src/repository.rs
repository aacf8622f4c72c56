//! The repository at hand: its root, its commits, what was changed since.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use environment::RepoPath;

use crate::fault::Fault;

/// Variables that a git hook finds set: they would turn git to another repository than the one at hand.
const OF_A_HOOK: [&str; 6] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE"];

/// A folder that holds definitions; under git, except for `plan`, which also reads plain folders.
pub(crate) struct Repository {
    root: PathBuf,
    git: Git,
}

/// How git knows a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Git {
    /// Not at all.
    No,
    /// As a working tree.
    Tree,
    /// As a repository without one.
    Bare,
}

impl Repository {
    /// Finds the root above `start`: the nearest folder with `.git`, else a bare repository, else the
    /// nearest folder with `.auto`, else `start`.
    pub(crate) fn find(start: &Path) -> io::Result<Self> {
        let start = start.canonicalize()?;
        let above = |is: fn(&Path) -> bool| start.ancestors().find(|folder| is(folder));
        let (root, git) = above(|folder| folder.join(".git").exists())
            .map(|root| (root, Git::Tree))
            .or_else(|| above(is_bare).map(|root| (root, Git::Bare)))
            .or_else(|| above(|folder| folder.join(".auto").exists()).map(|root| (root, Git::No)))
            .unwrap_or((&start, Git::No));
        Ok(Self { root: root.to_owned(), git })
    }

    /// The root folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// What people call it: `owner/name` of its remote, else the folder's name.
    pub(crate) fn name(&self) -> String {
        let folder = self.root.file_name().map(|name| name.to_string_lossy().into_owned());
        self.slug().or(folder).unwrap_or_default()
    }

    /// Whether git knows this folder.
    pub(crate) fn is_git(&self) -> bool {
        self.git != Git::No
    }

    /// The working tree's root.
    pub(crate) fn tree(&self) -> Result<&Path, Fault> {
        if self.git == Git::Bare {
            let message = format!("{} is a bare repository: it has no files", self.root.display());
            return Err(Fault::usage(message).hint("name a commit, as with `--rev HEAD`"));
        }
        Ok(&self.root)
    }

    /// A git command that runs at the root, takes no lock, and asks nothing.
    pub(crate) fn git(&self) -> Command {
        let mut git = Command::new("git");
        git.arg("--no-optional-locks").arg("-C").arg(&self.root);
        git.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        for name in OF_A_HOOK {
            git.env_remove(name);
        }
        git
    }

    /// The full name of the commit that `rev` means.
    pub(crate) fn commit(&self, rev: &str) -> Result<String, Fault> {
        if !self.is_git() {
            let message =
                format!("{} is no git repository, so it has no commits", self.root.display());
            return Err(Fault::usage(message)
                .hint("run `git init` and commit; `drydock plan` reads plain folders"));
        }
        let commit = format!("{rev}^{{commit}}");
        self.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?.ok_or_else(
            || {
                Fault::usage(format!("{rev} is no commit of {}", self.root.display()))
                    .hint("commit the change you intend to apply, or give another `--rev`")
            },
        )
    }

    /// `owner/name` of the remote `origin`, if there is one that looks so.
    pub(crate) fn slug(&self) -> Option<String> {
        // Starting git takes longer than planning an agent, so it is asked only about what is not plain to see.
        let url = match std::fs::read_to_string(self.root.join(".git/config"))
            .ok()
            .as_deref()
            .map(origin_in)
        {
            Some(Origin::Plain(url)) => url,
            Some(Origin::None) => return None,
            Some(Origin::AskGit) | None => {
                self.ask(["config", "--get", "remote.origin.url"]).ok()??
            }
        };
        slug_of(&url)
    }

    /// Files below the given paths that are modified, deleted or untracked, relative to the root.
    pub(crate) fn changed(&self, paths: &[RepoPath]) -> Result<Vec<String>, Fault> {
        if paths.is_empty() || self.git == Git::Bare {
            return Ok(Vec::new());
        }
        let output = self
            .git()
            .args(["--literal-pathspecs", "status", "--porcelain=v1", "-z", "--no-renames"])
            .args(["--untracked-files=all", "--ignored=no", "--"])
            .args(paths.iter().map(RepoPath::as_str))
            .output()
            .map_err(|error| no_git(&error))?;
        if !output.status.success() {
            return Err(self.refused(&output.stderr));
        }
        let entries = output.stdout.split(|byte| *byte == 0).filter(|entry| entry.len() > 3);
        Ok(entries.map(|entry| String::from_utf8_lossy(&entry[3..]).into_owned()).collect())
    }

    /// The path of `file` (seen from the current folder) inside the repository.
    pub(crate) fn inside(&self, file: &Path) -> Option<RepoPath> {
        let absolute = std::path::absolute(file).ok()?;
        // The file may not exist (`--rev`), but its folder's links must be followed as the root's were.
        let (folder, name) = (absolute.parent()?, absolute.file_name()?);
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(name);
        RepoPath::new(real.strip_prefix(&self.root).ok()?.to_str()?).ok()
    }

    /// What git said, and the way out where it is known.
    fn refused(&self, stderr: &[u8]) -> Fault {
        let said = words(stderr);
        let fault = Fault::usage(format!("git: {said}"));
        if said.contains("dubious ownership") {
            let root = self.root.display();
            return fault.hint(format!("git config --global --add safe.directory '{root}'"));
        }
        fault.hint("see what `git status` says there")
    }

    /// The first line of what git answers; `None` when it answers no.
    fn ask<I, S>(&self, args: I) -> Result<Option<String>, Fault>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let output = self.git().args(args).output().map_err(|error| no_git(&error))?;
        if !output.stderr.is_empty() && !output.status.success() {
            return Err(self.refused(&output.stderr));
        }
        let line = words(&output.stdout);
        Ok((output.status.success() && !line.is_empty()).then_some(line))
    }
}

fn no_git(error: &io::Error) -> Fault {
    Fault::usage(format!("git cannot be run: {error}"))
        .hint("install git; Drydock asks it for the commit's files")
}

/// The first line of a program's words.
fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().trim().to_owned()
}

/// Whether this is a repository without a working tree.
fn is_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

/// What a repository's own configuration says about the remote `origin`.
#[derive(Debug, PartialEq, Eq)]
enum Origin {
    /// Its address.
    Plain(String),
    /// There is none.
    None,
    /// Something that only git reads right.
    AskGit,
}

/// Reads the form that git itself writes; quotes, comments, continued lines and includes are git's to read.
fn origin_in(config: &str) -> Origin {
    let mut inside = false;
    let mut origin = Origin::None;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let lower = section.to_ascii_lowercase();
            let plain = section.starts_with("remote \"") && section.ends_with("\"]");
            if lower.starts_with("include") || (lower.starts_with("remote") && !plain) {
                return Origin::AskGit;
            }
            inside = section == "remote \"origin\"]";
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside)
            && key.trim().eq_ignore_ascii_case("url")
        {
            if value.contains(['"', '\\', '#', ';']) || origin != Origin::None {
                return Origin::AskGit;
            }
            origin = Origin::Plain(value.trim().to_owned());
        }
    }
    origin
}

/// `owner/name` out of a remote's address: the last two parts of its path.
fn slug_of(url: &str) -> Option<String> {
    let url = url.trim_end_matches('/').trim_end_matches(".git");
    let mut parts = url.rsplit(['/', ':']);
    let (name, owner) = (parts.next()?, parts.next()?);
    (!name.is_empty() && !owner.is_empty()).then(|| format!("{owner}/{name}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Makes `root` a repository with one commit of everything in it.
    pub(crate) fn commit_all(root: &Path) -> (Repository, String) {
        let git = |args: &[&str]| {
            let done = Command::new("git").arg("-C").arg(root).args(args).output().unwrap();
            assert!(done.status.success(), "git {args:?}: {}", words(&done.stderr));
        };
        git(&["init", "--quiet"]);
        git(&["add", "--all"]);
        let who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        git(&[&who[..], &["commit", "--quiet", "--allow-empty", "--message", "all"]].concat());
        let repository = Repository::find(root).unwrap();
        let commit = repository.commit("HEAD").unwrap();
        (repository, commit)
    }

    #[test]
    fn what_git_writes_about_origin_is_read_and_the_rest_is_left_to_git() {
        let plain = |url: &str| Origin::Plain(url.to_owned());
        let url = "https://example.org/acme/widgets.git";
        let other = "[remote \"fork\"]\n\turl = https://example.org/fork/widgets.git\n";
        let origin =
            format!("[remote \"origin\"]\n\turl = {url}\n\tfetch = +refs/heads/*:refs/x/*\n");
        for (config, expected) in [
            (format!("[core]\n\tbare = false\n{origin}"), plain(url)),
            (format!("{other}{origin}{other}"), plain(url)),
            (other.to_owned(), Origin::None),
            (format!("{origin}\turl = https://example.org/acme/second.git\n"), Origin::AskGit),
            ("[remote \"origin\"]\n\turl = \"quoted\"\n".to_owned(), Origin::AskGit),
            (format!("[Remote \"origin\"]\n\turl = {url}\n"), Origin::AskGit),
            (format!("[remote.origin]\n\turl = {url}\n"), Origin::AskGit),
            (format!("[remote \"origin\"] url = {url}\n"), Origin::AskGit),
            (format!("[include]\n\tpath = more\n{origin}"), Origin::AskGit),
            (format!("[includeIf \"onbranch:x\"]\n\tpath = more\n{origin}"), Origin::AskGit),
        ] {
            assert_eq!(origin_in(&config), expected, "{config}");
        }
    }

    #[test]
    fn a_slug_is_the_last_two_parts_of_a_remote() {
        for (url, slug) in [
            ("git@example.org:acme/widgets.git", Some("acme/widgets")),
            ("https://example.org/acme/widgets", Some("acme/widgets")),
            ("ssh://git@example.org:22/acme/widgets.git/", Some("acme/widgets")),
            ("widgets", None),
            ("", None),
        ] {
            assert_eq!(slug_of(url).as_deref(), slug, "{url}");
        }
    }

    #[test]
    fn changed_sees_modified_deleted_and_untracked_files_below_the_paths_only() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for name in ["d/same.yaml", "d/modified.yaml", "d/deleted.yaml", "other/modified.yaml"] {
            write(name, "1");
        }
        let (repository, _) = commit_all(folder.path());
        write("d/modified.yaml", "2");
        write("other/modified.yaml", "2");
        write("d/new/untracked.yaml", "2");
        std::fs::remove_file(folder.path().join("d/deleted.yaml")).unwrap();
        let mut changed = repository.changed(&[RepoPath::new("d").unwrap()]).unwrap();
        changed.sort();
        assert_eq!(changed, ["d/deleted.yaml", "d/modified.yaml", "d/new/untracked.yaml"]);
    }

    #[test]
    fn a_rev_that_is_none_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let (repository, _) = commit_all(folder.path());
        for rev in ["nope", "--help", "HEAD:nope", ""] {
            let fault = repository.commit(rev).unwrap_err();
            assert!(fault.message.contains("is no commit"), "{rev}: {}", fault.message);
        }
    }
}
