//! What a source cannot give is a finding where it is asked for, whatever the reason.

use std::sync::Arc;

use environment::{Code, Finding, MapSource, RepoPath, Source, SourceError, Target, resolve};

const AGENT: &str = ".auto/agents/a.yaml";
const BODY: &str =
    "name: a\nharness: codex\nenvironment: {name: r, image: {kind: preset, name: default}}\n";

/// A repository in which one path cannot be had.
struct Broken {
    files: MapSource,
    path: RepoPath,
    error: SourceError,
}

impl Source for Broken {
    fn read(&self, path: &RepoPath, limit: u64) -> Result<Arc<[u8]>, SourceError> {
        if *path == self.path { Err(self.error.clone()) } else { self.files.read(path, limit) }
    }

    fn list(&self, folder: &RepoPath) -> Result<Vec<RepoPath>, SourceError> {
        if *folder == self.path { Err(self.error.clone()) } else { self.files.list(folder) }
    }
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).expect("a path")
}

/// The only finding when `broken` fails with `error`.
fn found(agent: &str, broken: &str, error: SourceError) -> Finding {
    let fragment = (path(".auto/f.yaml"), Arc::from(&b"labels: {}\n"[..]));
    let files = MapSource([(path(AGENT), Arc::from(agent.as_bytes())), fragment].into());
    let source = Broken { files, path: path(broken), error };
    let mut findings = resolve(&source, &Target::All).findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.remove(0)
}

fn place(finding: &Finding) -> String {
    finding.place.as_ref().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn an_import_that_cannot_be_read_is_found_at_the_import() {
    for (error, code) in [
        (SourceError::NotFound, Code::ImportNotFound),
        (SourceError::LeavesRepository, Code::ImportOutside),
        (SourceError::NotAFile, Code::FileUnreadable),
        (SourceError::TooLarge(1 << 20), Code::FileTooLarge),
        (SourceError::Io("permission denied".into()), Code::FileUnreadable),
    ] {
        let finding = found(&format!("{BODY}imports: [../f.yaml]\n"), ".auto/f.yaml", error);
        assert_eq!(finding.code, code);
        assert_eq!(place(&finding), ".auto/agents/a.yaml:4:11");
    }
}

#[test]
fn an_agent_that_cannot_be_read_is_found_at_its_file() {
    for (error, code) in [
        (SourceError::LeavesRepository, Code::FileUnreadable),
        (SourceError::NotAFile, Code::FileUnreadable),
        (SourceError::TooLarge(1 << 20), Code::FileTooLarge),
        (SourceError::Io("permission denied".into()), Code::FileUnreadable),
    ] {
        let finding = found(BODY, AGENT, error);
        assert_eq!(finding.code, code);
        assert_eq!(place(&finding), ".auto/agents/a.yaml:1:1");
    }
}

#[test]
fn a_folder_that_cannot_be_listed_is_found() {
    let files = MapSource([(path(AGENT), Arc::from(BODY.as_bytes()))].into());
    let error = SourceError::Io("permission denied".into());
    let source = Broken { files, path: path(".auto"), error };
    let codes: Vec<Code> =
        resolve(&source, &Target::All).findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::FileUnreadable]);
}
