//! What is found in a commit before it is built. Needs git and nothing else.

use std::path::Path;
use std::process::Command;

use runner::survey;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is there");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn write(folder: &Path, name: &str, contents: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
    std::fs::write(path, contents).expect("a file");
}

fn repository(format: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), &["init", "-q", &format!("--object-format={format}")]);
    folder
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";

#[tokio::test]
async fn a_commit_with_everything_that_an_archive_cannot_carry() {
    for format in ["sha1", "sha256"] {
        let folder = repository(format);
        let path = folder.path();
        let inner = repository(format);
        write(inner.path(), "a", "b");
        git(inner.path(), &["add", "-A"]);
        git(inner.path(), &["commit", "-q", "-m", "inner"]);
        write(
            path,
            ".gitattributes",
            "*.bin filter=lfs -text\nout export-ignore\n# x export-subst\n",
        );
        write(path, "deep/.gitattributes", "v export-subst\nw -export-ignore\n");
        write(path, "a.bin", POINTER);
        write(path, "deep/b.bin", "real contents");
        write(path, ".wh.gone", "");
        write(path, "deep/.wh.folder/x", "");
        write(path, "not.wh.ours", "");
        for (name, target) in
            [("in", "a.bin"), ("out-1", "/etc/passwd"), ("deep/out-2", "../../x"), ("gone", "no")]
        {
            std::os::unix::fs::symlink(target, path.join(name)).expect("a link");
        }
        let url = inner.path().to_str().expect("UTF-8").to_owned();
        git(path, &["submodule", "--quiet", "add", &url, "vendor/inner"]);
        git(path, &["add", "-A"]);
        git(path, &["commit", "-q", "-m", "all"]);
        // What is not committed does not count.
        write(path, ".wh.untracked", "");
        let found = survey(path, "HEAD").await.expect("the commit is readable");
        assert_eq!(found.commit, git(path, &["rev-parse", "HEAD"]));
        assert_eq!(found.submodules.first, ["vendor/inner"]);
        assert_eq!(found.lfs_pointers.first, ["a.bin"]);
        assert_eq!(found.whiteouts.first, [".wh.gone", "deep/.wh.folder"]);
        assert_eq!(found.outside_links.first, ["deep/out-2", "out-1"]);
        let exports = [".gitattributes: out export-ignore", "deep/.gitattributes: v export-subst"];
        assert_eq!(found.export_attributes.first, exports);
        assert_eq!(found.files, 12);
    }
}

#[tokio::test]
async fn a_plain_commit_has_nothing_to_tell_and_pointers_need_the_attribute() {
    let folder = repository("sha1");
    write(folder.path(), "README", POINTER);
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-q", "-m", "all"]);
    let below = folder.path().join("below");
    std::fs::create_dir(&below).expect("a folder");
    let found = survey(&below, "HEAD").await.expect("any folder of the working tree will do");
    assert_eq!(found.files, 1);
    assert!(found.lfs_pointers.is_empty() && found.whiteouts.is_empty());
}

#[tokio::test]
async fn many_paths_are_counted_and_few_are_kept() {
    let folder = repository("sha1");
    for index in 0..300 {
        write(folder.path(), &format!("d{}/.wh.{index}", index % 10), "");
    }
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-q", "-m", "all"]);
    let found = survey(folder.path(), "HEAD").await.expect("the commit is readable");
    assert_eq!((found.files, found.whiteouts.count), (300, 300));
    assert_eq!(found.whiteouts.first.len(), runner::Listed::KEPT);
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let folder = repository("sha1");
    for (path, commit, part) in [
        (folder.path(), "HEAD", "rev-parse failed"),
        (folder.path(), "--output=/tmp/x", "names no commit"),
        (folder.path(), "", "names no commit"),
        (Path::new("/"), "HEAD", "not a git repository"),
        (Path::new("/no/such/folder"), "HEAD", "rev-parse failed"),
    ] {
        let error = survey(path, commit).await.expect_err("there is no such commit");
        assert!(error.to_string().contains(part), "{error}");
    }
    // A commit whose blob is gone: git's own words come through.
    write(folder.path(), "a", "b");
    std::os::unix::fs::symlink("a", folder.path().join("link")).expect("a link");
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-q", "-m", "all"]);
    let id = git(folder.path(), &["rev-parse", "HEAD:link"]);
    let object = folder.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
    std::fs::remove_file(object).expect("a loose object");
    let error = survey(folder.path(), "HEAD").await.expect_err("an object is missing");
    assert!(error.to_string().contains(&id), "{error}");
}
