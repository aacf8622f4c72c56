//! One commit of everything in a folder.

use std::path::Path;
use std::process::Command;

/// Makes the commit, whatever the machine's own settings of git are.
pub(crate) fn commit(folder: &Path) {
    let who = ["-c", "user.name=fixture", "-c", "user.email=fixture@example.org"];
    for arguments in [
        &["init", "--quiet", "--initial-branch=main"] as &[&str],
        &["add", "--all", "--force"],
        &["commit", "--quiet", "--message=fixture"],
    ] {
        let mut git = Command::new("git");
        git.args(who).args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let output = git.output().expect("a program `git`");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
