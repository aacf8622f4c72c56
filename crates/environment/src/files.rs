//! The files of one run: each read and parsed once, however many agents import it.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::fault::{At, Fault};
use crate::limits::{FILE_BYTES, TOTAL_BYTES, TOTAL_NODES};
use crate::yaml::{FileId, Node, Span};
use crate::{Code, Place, RepoPath, Source, SourceError, SourceFile, yaml};

/// All files read so far.
pub(crate) struct Files<'s> {
    source: &'s dyn Source,
    files: Vec<File>,
    known: HashMap<RepoPath, Result<FileId, LoadError>>,
    bytes: u64,
    nodes: u32,
}

/// One file that was read.
pub(crate) struct File {
    pub(crate) path: RepoPath,
    pub(crate) text: Box<str>,
    pub(crate) sha256: Arc<str>,
    /// Its value; `None` when `faults` say why there is none.
    pub(crate) root: Option<Node>,
    pub(crate) faults: Vec<Fault>,
}

/// Why a file is not there to be used.
#[derive(Clone, Debug)]
pub(crate) enum LoadError {
    /// The source does not give it.
    Source(SourceError),
    /// The run has read as much as it may.
    Budget,
}

impl<'s> Files<'s> {
    pub(crate) fn new(source: &'s dyn Source) -> Self {
        Self { source, files: Vec::new(), known: HashMap::new(), bytes: 0, nodes: 0 }
    }

    /// All files below a folder.
    pub(crate) fn list(&self, folder: &RepoPath) -> Result<Vec<RepoPath>, SourceError> {
        self.source.list(folder)
    }

    /// Whether something stands at that path, readable or not.
    pub(crate) fn exists(&self, path: &RepoPath) -> bool {
        !matches!(self.source.read(path, FILE_BYTES), Err(SourceError::NotFound))
    }

    /// The file of that path, read now if it was not read before.
    pub(crate) fn load(&mut self, path: &RepoPath) -> Result<FileId, LoadError> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let loaded = self.read(path);
        self.known.insert(path.clone(), loaded.clone());
        loaded
    }

    fn read(&mut self, path: &RepoPath) -> Result<FileId, LoadError> {
        if self.bytes >= TOTAL_BYTES || self.nodes >= TOTAL_NODES {
            return Err(LoadError::Budget);
        }
        let bytes = self.source.read(path, FILE_BYTES).map_err(LoadError::Source)?;
        if bytes.len() as u64 > FILE_BYTES {
            return Err(LoadError::Source(SourceError::TooLarge(FILE_BYTES)));
        }
        self.bytes += bytes.len() as u64;
        let id = FileId(u32::try_from(self.files.len()).map_err(|_| LoadError::Budget)?);
        let mut faults = Vec::new();
        let text = decode(id, &bytes, &mut faults);
        let root = if faults.is_empty() { yaml::read(id, &text, &mut faults) } else { None };
        self.nodes += root.as_ref().map_or(1, |root| root.weight().nodes);
        let sha256 = hexadecimal(&Sha256::digest(&bytes)).into();
        self.files.push(File { path: path.clone(), text, sha256, root, faults });
        Ok(id)
    }

    pub(crate) fn get(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        let file = self.get(span.file).path.clone();
        Place { file, line: span.line, column: span.column }
    }

    pub(crate) fn source_file(&self, id: FileId) -> SourceFile {
        let file = self.get(id);
        SourceFile { path: file.path.clone(), sha256: Arc::clone(&file.sha256) }
    }
}

/// The text of a file, without a byte order mark.
fn decode(id: FileId, bytes: &[u8], faults: &mut Vec<Fault>) -> Box<str> {
    let (text, bad) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.into(), None),
        Err(error) => (String::from_utf8_lossy(bytes), Some(error.valid_up_to())),
    };
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let text = &text[mark..];
    let bad = bad.map(|bad| bad.saturating_sub(mark));
    let before = &text[..text.floor_char_boundary(bad.unwrap_or(text.len()))];
    if let Some((at, c)) = before.char_indices().find(|(_, c)| is_forbidden(*c)) {
        let message = format!("the character U+{:04X} is not allowed in YAML", u32::from(c));
        faults.push(encoding_fault(Span::of(id, text, at), message));
    } else if let Some(bad) = bad {
        let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let message =
            if utf16 { "the file is UTF-16, not UTF-8" } else { "the file is not UTF-8 text" };
        faults.push(encoding_fault(Span::of(id, text, bad), message.into()));
    }
    text.into()
}

fn encoding_fault(at: Span, message: String) -> Fault {
    Fault::new(Code::FileEncoding, at, message)
        .expected("UTF-8 text without control characters")
        .hint("save the file as UTF-8; write a control character as an escape in double quotes")
}

/// What is not printable by the rules of YAML 1.2 (5.1).
fn is_forbidden(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        c => c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Why a file cannot be used, as a fault at `at`.
pub(crate) fn load_fault(error: &LoadError, path: &RepoPath, at: At) -> Fault {
    let (code, message) = match error {
        LoadError::Budget => (
            Code::DefinitionLimit,
            format!("`{path}` is not read: the definitions are too large in all"),
        ),
        LoadError::Source(SourceError::NotFound) => {
            (Code::FileUnreadable, format!("there is no file `{path}`"))
        }
        LoadError::Source(SourceError::NotAFile) => {
            (Code::FileUnreadable, format!("`{path}` is not a file"))
        }
        LoadError::Source(SourceError::LeavesRepository) => {
            (Code::FileUnreadable, format!("`{path}` is a link that leads out of the repository"))
        }
        LoadError::Source(SourceError::TooLarge(limit)) => {
            (Code::FileTooLarge, format!("`{path}` is larger than {limit} bytes"))
        }
        LoadError::Source(SourceError::Io(words)) => {
            (Code::FileUnreadable, format!("`{path}` cannot be read: {words}"))
        }
    };
    Fault::anywhere(code, at, message)
}
