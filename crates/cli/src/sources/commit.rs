//! Definitions as a commit holds them.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;

use environment::{RepoPath, Source, SourceError};

use crate::repository::Repository;

/// A commit of a repository. One `git cat-file` answers all reads.
pub(crate) struct CommitSource<'a> {
    repository: &'a Repository,
    commit: String,
    pipe: RefCell<Pipe>,
}

/// The running `git cat-file`.
struct Pipe {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl<'a> CommitSource<'a> {
    /// Opens `commit`, a full object name.
    pub(crate) fn open(repository: &'a Repository, commit: &str) -> io::Result<Self> {
        Ok(Self {
            repository,
            commit: commit.to_owned(),
            pipe: RefCell::new(Pipe::start(repository)?),
        })
    }
}

impl Source for CommitSource<'_> {
    fn read(&self, path: &RepoPath, limit: u64) -> Result<Arc<[u8]>, SourceError> {
        // git reads one question a line; a name with a newline cannot be asked for.
        if path.as_str().contains('\n') {
            return Err(SourceError::Io("the path holds a newline".to_owned()));
        }
        let mut pipe = self.pipe.borrow_mut();
        let answer = pipe.ask(&format!("{}:{path}", self.commit), limit);
        answer.unwrap_or_else(|error| Err(SourceError::Io(format!("git cat-file: {error}"))))
    }

    fn list(&self, folder: &RepoPath) -> Result<Vec<RepoPath>, SourceError> {
        let names = self
            .repository
            .git()
            .args(["ls-tree", "-r", "-z", "--name-only", "--full-tree", &self.commit, "--"])
            .arg(folder.as_str())
            .output()
            .map_err(|error| SourceError::Io(format!("git ls-tree: {error}")))?;
        if !names.status.success() {
            let words = String::from_utf8_lossy(&names.stderr);
            return Err(SourceError::Io(format!("git ls-tree: {}", words.trim())));
        }
        let mut found: Vec<RepoPath> = names
            .stdout
            .split(|byte| *byte == 0)
            .filter_map(|name| RepoPath::new(std::str::from_utf8(name).ok()?).ok())
            .collect();
        found.sort();
        Ok(found)
    }
}

impl Pipe {
    fn start(repository: &Repository) -> io::Result<Self> {
        let mut child = repository
            .git()
            .args(["cat-file", "--batch", "--follow-symlinks"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let broken = || io::Error::other("no pipe to git");
        let questions = child.stdin.take().ok_or_else(broken)?;
        let answers = BufReader::new(child.stdout.take().ok_or_else(broken)?);
        Ok(Self { child, questions, answers })
    }

    /// Asks for one object. The outer error is the pipe's, the inner one the object's.
    fn ask(&mut self, name: &str, limit: u64) -> io::Result<Result<Arc<[u8]>, SourceError>> {
        writeln!(self.questions, "{name}")?;
        self.questions.flush()?;
        let mut header = String::new();
        if self.answers.read_line(&mut header)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let header = header.trim_end_matches('\n');
        // `<name> missing` quotes our question, which may hold blanks: it is told by its end.
        if header.ends_with(" missing") {
            return Ok(Err(SourceError::NotFound));
        }
        let words: Vec<&str> = header.split(' ').collect();
        let Some(size) = words.last().and_then(|word| word.parse::<u64>().ok()) else {
            return Ok(Err(SourceError::Io(header.to_owned())));
        };
        let fits = size <= limit;
        let mut bytes = Vec::new();
        if fits {
            self.answers.by_ref().take(size).read_to_end(&mut bytes)?;
        } else {
            io::copy(&mut self.answers.by_ref().take(size), &mut io::sink())?;
        }
        self.answers.read_exact(&mut [0])?;
        Ok(match words[0] {
            "symlink" => Err(SourceError::LeavesRepository),
            "dangling" | "notdir" => Err(SourceError::NotFound),
            "loop" => Err(SourceError::Io("the link leads back to itself".to_owned())),
            _ if words.get(1) != Some(&"blob") => Err(SourceError::NotAFile),
            _ if !fits => Err(SourceError::TooLarge(limit)),
            _ => Ok(bytes.into()),
        })
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // git may still be writing a blob that nobody reads; there is nothing to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::*;
    use crate::repository::tests::commit_all;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn sample(root: &Path) {
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/real file.yaml"), "name: x").unwrap();
        fs::write(root.join("a/b/empty.yaml"), "").unwrap();
        symlink("real file.yaml", root.join("a/inside.yaml")).unwrap();
        symlink("/etc/passwd", root.join("a/outside.yaml")).unwrap();
        symlink("loop.yaml", root.join("a/loop.yaml")).unwrap();
        symlink("none", root.join("a/dangling.yaml")).unwrap();
    }

    #[test]
    fn a_commit_answers_as_a_tree_does() {
        let folder = tempfile::tempdir().unwrap();
        sample(folder.path());
        let (repository, commit) = commit_all(folder.path());
        fs::write(folder.path().join("a/real file.yaml"), "changed").unwrap();
        fs::write(folder.path().join("a/untracked.yaml"), "new").unwrap();
        let source = CommitSource::open(&repository, &commit).unwrap();

        assert_eq!(&*source.read(&path("a/real file.yaml"), 99).unwrap(), b"name: x");
        assert_eq!(&*source.read(&path("a/inside.yaml"), 99).unwrap(), b"name: x");
        assert_eq!(&*source.read(&path("a/b/empty.yaml"), 99).unwrap(), b"");
        assert_eq!(source.read(&path("a/real file.yaml"), 3), Err(SourceError::TooLarge(3)));
        assert_eq!(source.read(&path("a/outside.yaml"), 99), Err(SourceError::LeavesRepository));
        assert!(matches!(source.read(&path("a/loop.yaml"), 99), Err(SourceError::Io(_))));
        assert_eq!(source.read(&path("a/dangling.yaml"), 99), Err(SourceError::NotFound));
        assert_eq!(source.read(&path("a/untracked.yaml"), 99), Err(SourceError::NotFound));
        assert_eq!(source.read(&path("a/b"), 99), Err(SourceError::NotAFile));
        assert_eq!(source.list(&path("a")).unwrap().len(), 6);
        assert_eq!(source.list(&path("none")).unwrap(), []);
    }
}
