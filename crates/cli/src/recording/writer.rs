//! Writes a recording: each record is on the disk before the next thing happens, and the file has
//! its name only once it is whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Record;

/// A recording that is being written to `NAME.partial`.
///
/// A crash leaves that file, and `replay` reads it; what an earlier run left under the name itself
/// stays until this one is whole.
#[derive(Debug)]
pub(crate) struct Writer {
    file: File,
    /// The name that it has while it grows; none where it is written in place.
    partial: Option<PathBuf>,
    path: PathBuf,
}

impl Writer {
    /// Starts a recording that will be called `path`.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        if path == Path::new("-") {
            let message = "`-` is no file; `--json` prints the events";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        // A pipe or a device is written into: a file in its place would be the end of it.
        let partial = (!path.exists() || path.is_file()).then(|| {
            let mut partial = path.as_os_str().to_owned();
            partial.push(".partial");
            PathBuf::from(partial)
        });
        let file = match &partial {
            Some(partial) => File::create(partial)?,
            None => File::options().write(true).open(path)?,
        };
        Ok(Self { file, partial, path: path.to_owned() })
    }

    /// Writes one record with one system call: no buffer of ours holds it back.
    pub(crate) fn record(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// Gives the recording its name.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Some(partial) = &self.partial else { return Ok(()) };
        self.file.sync_all()?;
        fs::rename(partial, &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{Fold, Start, read};

    #[test]
    fn a_recording_has_its_name_only_once_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        fs::write(&path, "an earlier one").unwrap();
        let mut writer = Writer::create(&path).unwrap();
        let schema = crate::recording::SCHEMA.to_owned();
        writer.record(&Record::Started(Start { schema, ..Start::default() })).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "an earlier one");
        let partial = fs::read(folder.path().join("run.jsonl.partial")).unwrap();
        let mut fold = Fold::default();
        read(&partial[..], &mut fold).unwrap();
        assert!(!fold.recorded().complete());
        writer.record(&Record::Finished { at_ms: 1, exit: 0 }).unwrap();
        writer.finish().unwrap();
        assert!(fs::read_to_string(&path).unwrap().ends_with("\"exit\":0}\n"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_pipe_is_written_into_and_stays_a_pipe() {
        use std::os::unix::fs::FileTypeExt as _;

        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        let mut writer = Writer::create(&pipe).unwrap();
        writer.record(&Record::Finished { at_ms: 1, exit: 0 }).unwrap();
        writer.finish().unwrap();
        assert!(reader.join().unwrap().ends_with("\"exit\":0}\n"));
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
