//! Git's objects of a repository, seen without its configuration.
//!
//! A clone of a commit depends on the commit alone, so nothing of this repository's or this user's
//! settings may reach the files: no filters, no line-ending preference, no attributes of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use super::ContextError;

/// A repository's objects behind a git folder of our own.
#[derive(Debug)]
pub(crate) struct Objects {
    /// The commit's full id.
    pub(crate) commit: String,
    /// Where the request came from, for messages.
    pub(crate) repository: PathBuf,
    folder: tempfile::TempDir,
    objects: OsString,
}

/// The name that our temporary folders begin with; the process behind one follows it.
pub(crate) const FOLDER_PREFIX: &str = "drydock-run-";

impl Objects {
    /// Finds the repository's objects and the commit.
    pub(crate) async fn open(repository: &Path, commit: &str) -> Result<Self, ContextError> {
        let fail = |message: String| ContextError::Git {
            command: "rev-parse",
            repository: repository.to_owned(),
            message,
        };
        if commit.is_empty() || commit.starts_with('-') {
            return Err(fail(format!("`{commit}` names no commit")));
        }
        let mut asked = Command::new("git");
        // A git hook finds them set; they would turn git to another repository than this one.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE"] {
            asked.env_remove(name);
        }
        asked.arg("-C").arg(repository).args(["rev-parse", "--path-format=absolute"]);
        asked.args(["--git-path", "objects", "--show-object-format"]);
        asked.arg(format!("{commit}^{{commit}}"));
        let answer = asked.stdin(Stdio::null()).output().await.map_err(ContextError::NoGit)?;
        if !answer.status.success() {
            return Err(fail(first_line(&answer.stderr)));
        }
        // A path may hold a newline, so the two known lines are taken from the end.
        let text = answer.stdout.strip_suffix(b"\n").unwrap_or(&answer.stdout);
        let mut parts = text.rsplitn(3, |byte| *byte == b'\n');
        let (Some(commit), Some(format), Some(objects)) =
            (parts.next(), parts.next(), parts.next())
        else {
            return Err(fail("git gave an answer of another form".to_owned()));
        };
        let folder =
            git_folder(&String::from_utf8_lossy(format)).map_err(ContextError::Temporary)?;
        Ok(Self {
            commit: String::from_utf8_lossy(commit).into_owned(),
            repository: repository.to_owned(),
            folder,
            objects: os_string(objects),
        })
    }

    /// `git …` on these objects, with no configuration but ours.
    pub(crate) fn git(&self) -> Command {
        let mut command = Command::new("git");
        command.env_clear();
        // Where git itself, and what it needs to start, are found.
        for name in ["PATH", "LD_LIBRARY_PATH", "TMPDIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("GIT_DIR", self.folder.path())
            .env("GIT_OBJECT_DIRECTORY", &self.objects)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("LC_ALL", "C")
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }
}

/// A git folder of a few bytes: it has no objects, and attributes that stand above the commit's.
fn git_folder(object_format: &str) -> std::io::Result<tempfile::TempDir> {
    let prefix = format!("{FOLDER_PREFIX}{}-", crate::identity::this_process());
    let folder = tempfile::Builder::new().prefix(&prefix).tempdir()?;
    let path = folder.path();
    for name in ["objects", "refs", "info"] {
        std::fs::create_dir(path.join(name))?;
    }
    std::fs::write(path.join("HEAD"), "ref: refs/heads/none\n")?;
    // Export attributes are for releases; a clone has all files, unchanged.
    std::fs::write(path.join("info/attributes"), "* -export-ignore -export-subst\n")?;
    let (version, extension) = match object_format {
        "sha1" => (0, String::new()),
        other => (1, format!("[extensions]\n\tobjectformat = {other}\n")),
    };
    let config = format!(
        "[core]\n\trepositoryformatversion = {version}\n\tbare = true\n\tautocrlf = false\n\
         \teol = lf\n\tattributesFile = /dev/null\n[tar]\n\tumask = 0022\n{extension}"
    );
    std::fs::write(path.join("config"), config)?;
    Ok(folder)
}

/// The first line of git's words, without its prefix.
pub(crate) fn first_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("git gave no reason");
    line.strip_prefix("fatal: ").unwrap_or(line).to_owned()
}

#[cfg(unix)]
fn os_string(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
