//! Files by name: of a folder, or inside a tar file without unpacking it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use crate::failure::{ReadCode, ReadFailure};
use crate::layer::tar::{Kind, Tar};
use crate::limits::MAX_JSON;

/// More files than any image archive has.
const MAX_ENTRIES: usize = 20_000;
/// Old archives name a layer twice by a link.
const MAX_LINKS: u32 = 8;

/// Files by name.
#[derive(Debug)]
pub(crate) enum Store {
    /// Below a folder.
    Folder(PathBuf),
    /// In a tar file: where each begins and how long it is.
    Tar { path: PathBuf, files: BTreeMap<String, Place> },
}

/// Where a file of a tar file is.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Data { at: u64, size: u64 },
    Link(String),
}

impl Store {
    /// Lists a tar file.
    pub(crate) fn tar(path: &Path) -> Result<Self, ReadFailure> {
        let file = open_file(path)?;
        let mut head = [0; 6];
        let length = (&file).take(6).read(&mut head).unwrap_or(0);
        if head.starts_with(&[0x1f, 0x8b]) || head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            let message = format!("{} is compressed as a whole: unpack it first", path.display());
            return Err(ReadFailure::new(ReadCode::ImageFormat, message));
        }
        let mut seekable = &file;
        seekable.seek(SeekFrom::Start(0)).map_err(|error| cannot_open(path, &error))?;
        if length < head.len() {
            let message = format!("{} is empty", path.display());
            return Err(ReadFailure::new(ReadCode::ImageFormat, message));
        }
        let length = file.metadata().map_err(|error| cannot_open(path, &error))?.len();
        let mut tar = Tar::file(file);
        let mut files = BTreeMap::new();
        let broken = |error: io::Error| {
            let message = format!("{} is no tar file: {error}", path.display());
            ReadFailure::new(ReadCode::ImageFormat, message)
        };
        while let Some(entry) = tar.next().map_err(broken)? {
            let name = String::from_utf8_lossy(&entry.path).trim_start_matches("./").to_owned();
            let place = match entry.kind {
                Kind::File => Place::Data { at: tar.position(), size: entry.size },
                Kind::Link => Place::Link(beside(&name, &String::from_utf8_lossy(&entry.link))),
                Kind::HardLink => Place::Link(String::from_utf8_lossy(&entry.link).into_owned()),
                Kind::Directory | Kind::Special => continue,
            };
            if let Place::Data { at, size } = &place
                && at.saturating_add(*size) > length
            {
                let message = format!("{} is cut: {name} ends behind its end", path.display());
                return Err(ReadFailure::new(ReadCode::BlobCut, message));
            }
            files.insert(name, place);
            if files.len() > MAX_ENTRIES {
                // A root file system, most likely; it is read as a stream and not by name.
                break;
            }
        }
        Ok(Self::Tar { path: path.to_owned(), files })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Self::Folder(folder) => folder.join(name).is_file(),
            Self::Tar { files, .. } => files.contains_key(name),
        }
    }

    /// A small file, whole.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, ReadFailure> {
        let mut bytes = Vec::new();
        let broken = |error: io::Error| {
            ReadFailure::new(ReadCode::BlobCut, format!("{}: {error}", self.place(name)))
        };
        self.open(name)?.take(MAX_JSON + 1).read_to_end(&mut bytes).map_err(broken)?;
        if bytes.len() as u64 > MAX_JSON {
            let limit = MAX_JSON >> 20;
            let message = format!("{} is larger than {limit} MiB", self.place(name));
            return Err(ReadFailure::new(ReadCode::ImageLimit, message));
        }
        Ok(bytes)
    }

    /// A file's bytes.
    pub(crate) fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, ReadFailure> {
        match self {
            Self::Folder(folder) => Ok(Box::new(open_file(&folder.join(name))?)),
            Self::Tar { path, files } => {
                let mut name = name.to_owned();
                for _ in 0..MAX_LINKS {
                    match files.get(&name) {
                        Some(Place::Link(target)) => name.clone_from(target),
                        Some(&Place::Data { at, size }) => {
                            let mut file = open_file(path)?;
                            file.seek(SeekFrom::Start(at))
                                .map_err(|error| cannot_open(path, &error))?;
                            return Ok(Box::new(file.take(size)));
                        }
                        None => break,
                    }
                }
                let message = format!("{} does not hold {name}", path.display());
                Err(ReadFailure::new(ReadCode::ImageFormat, message))
            }
        }
    }

    /// A file's name in messages.
    pub(crate) fn place(&self, name: &str) -> String {
        match self {
            Self::Folder(folder) => folder.join(name).display().to_string(),
            Self::Tar { path, .. } => format!("{}:{name}", path.display()),
        }
    }
}

/// Opens a regular file. A pipe might never answer, a device never end, and neither can be read twice.
fn open_file(path: &Path) -> Result<File, ReadFailure> {
    let failed = |error: io::Error| cannot_open(path, &error);
    let without_waiting = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, without_waiting, Mode::empty());
    let file = File::from(file.map_err(|errno| failed(errno.into()))?);
    if file.metadata().map_err(failed)?.is_file() {
        return Ok(file);
    }
    let message = format!("{} is no regular file: save the image as one first", path.display());
    Err(ReadFailure::new(ReadCode::ImageFormat, message))
}

/// What it means when a path given by the user cannot be opened.
pub(crate) fn cannot_open(path: &Path, error: &io::Error) -> ReadFailure {
    ReadFailure::new(ReadCode::ImageMissing, format!("{}: {error}", path.display()))
}

/// A link's text, seen from where the link is.
fn beside(name: &str, target: &str) -> String {
    let mut path: Vec<&str> = name.split('/').collect();
    path.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path.join("/")
}
