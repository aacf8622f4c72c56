//! Reads a tar stream entry by entry, in bounded memory.
//!
//! Names come with `..` or without end, sizes lie, headers repeat. What cannot be a layer is an
//! error with the entry's number; what is merely odd is skipped as the engines skip it.

use std::io::{self, Read};

use crate::limits::MAX_TAR_META;

/// A block of a tar stream.
const BLOCK: usize = 512;

/// What an entry makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    HardLink,
    Link,
    Directory,
    Special,
}

/// One entry's header. Its data is read from [`Tar::data`] before the next call of [`Tar::next`].
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) path: Vec<u8>,
    pub(crate) link: Vec<u8>,
    pub(crate) mode: u32,
    /// Bytes of data in the stream.
    pub(crate) size: u64,
    /// Whether the data is a map of holes and not the file's bytes.
    pub(crate) sparse: bool,
}

/// A tar stream.
pub(crate) struct Tar<R> {
    reader: R,
    /// Passes over bytes without reading them, where the reader can.
    jump: Option<fn(&mut R, i64) -> io::Result<()>>,
    /// Bytes of the stream in front of the reader.
    position: u64,
    /// Bytes of the current entry's data and padding that were not read yet.
    left: u64,
    padding: u64,
    entries: u64,
    scratch: Box<[u8; 64 << 10]>,
}

impl Tar<io::BufReader<std::fs::File>> {
    /// A tar file, whose data can be passed over.
    pub(crate) fn file(file: std::fs::File) -> Self {
        let mut tar = Self::new(io::BufReader::new(file));
        tar.jump = Some(io::BufReader::seek_relative);
        tar
    }
}

/// What extended headers say about the next entry.
#[derive(Default)]
struct Extended {
    path: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

impl<R: Read> Tar<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader,
            jump: None,
            position: 0,
            left: 0,
            padding: 0,
            entries: 0,
            scratch: Box::new([0; 64 << 10]),
        }
    }

    /// Where the current entry's data begins, counted from the stream's start.
    pub(crate) const fn position(&self) -> u64 {
        self.position
    }

    /// The reader, to see what stands behind the archive's end.
    pub(crate) fn into_inner(self) -> R {
        self.reader
    }

    /// The next entry; `None` at the archive's end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Entry>> {
        let mut extended = Extended::default();
        loop {
            self.skip_data()?;
            let Some(block) = self.header()? else { return Ok(None) };
            self.entries += 1;
            let size = self.number(&block[124..136], "size")?;
            let old_sparse = block[156] == b'S';
            let meta = matches!(block[156], b'x' | b'g' | b'L' | b'K');
            if meta && size > MAX_TAR_META {
                return Err(self.broken(&format!("has a header of {size} bytes")));
            }
            self.left = if meta { size } else { extended.size.unwrap_or(size) };
            self.padding = self.left.wrapping_neg() % BLOCK as u64;
            match block[156] {
                b'x' => self.pax(&mut extended)?,
                b'g' => {}
                b'L' => extended.path = Some(self.text()?),
                b'K' => extended.link = Some(self.text()?),
                flag => {
                    if old_sparse && block[482] != 0 {
                        self.sparse_headers()?;
                    }
                    let kind = kind(flag);
                    // Links and folders have no data, whatever their size says.
                    if matches!(kind, Kind::Directory | Kind::Link | Kind::HardLink) {
                        self.left = 0;
                        self.padding = 0;
                    }
                    let path = extended.path.take().unwrap_or_else(|| name(&block));
                    let kind = match kind {
                        // Before POSIX a folder was a file with a slash behind its name.
                        Kind::File if path.ends_with(b"/") => Kind::Directory,
                        kind => kind,
                    };
                    return Ok(Some(Entry {
                        kind,
                        path,
                        link: extended.link.take().unwrap_or_else(|| until_nul(&block[157..257])),
                        mode: u32::try_from(self.number(&block[100..108], "mode")? & 0o7777)
                            .unwrap_or(0),
                        size: self.left,
                        sparse: old_sparse || extended.sparse,
                    }));
                }
            }
        }
    }

    /// Reads the current entry's data into `buffer`, which must be as large as its size.
    pub(crate) fn data(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        buffer.clear();
        let mut data = (&mut self.reader).take(self.left);
        data.read_to_end(buffer)?;
        if (buffer.len() as u64) < self.left {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.position += self.left;
        self.left = 0;
        Ok(())
    }

    fn skip_data(&mut self) -> io::Result<()> {
        let mut left = self.left.saturating_add(self.padding);
        self.position = self.position.saturating_add(left);
        if let (Some(jump), Ok(far)) = (self.jump, i64::try_from(left))
            && left > self.scratch.len() as u64
        {
            jump(&mut self.reader, far)?;
            left = 0;
        }
        while left > 0 {
            let want = usize::try_from(left).unwrap_or(usize::MAX).min(self.scratch.len());
            self.reader.read_exact(&mut self.scratch[..want])?;
            left -= want as u64;
        }
        self.left = 0;
        self.padding = 0;
        Ok(())
    }

    /// The next header block; `None` at two blocks of zeros or where the stream ends.
    fn header(&mut self) -> io::Result<Option<[u8; BLOCK]>> {
        let mut block = [0; BLOCK];
        for zeros in 0.. {
            let mut filled = 0;
            while filled < BLOCK {
                match self.reader.read(&mut block[filled..])? {
                    0 if filled == 0 => return Ok(None),
                    0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                    count => filled += count,
                }
            }
            self.position += BLOCK as u64;
            if block.iter().any(|&byte| byte != 0) {
                break;
            }
            if zeros == 1 {
                return Ok(None);
            }
        }
        let stated = self.number(&block[148..156], "checksum")?;
        let sum = |signed: bool| -> i64 {
            let value =
                |byte: u8| if signed { i64::from(byte.cast_signed()) } else { i64::from(byte) };
            let body = block.iter().enumerate();
            body.map(|(at, &byte)| value(if (148..156).contains(&at) { b' ' } else { byte })).sum()
        };
        if [sum(false), sum(true)].into_iter().all(|sum| u64::try_from(sum) != Ok(stated)) {
            return Err(self.broken("has a header whose checksum is wrong"));
        }
        Ok(Some(block))
    }

    /// A number in octal digits, or in base 256 when its first bit is set.
    fn number(&self, field: &[u8], what: &str) -> io::Result<u64> {
        if field[0] & 0x80 != 0 {
            let first = u64::from(field[0] & 0x7f);
            let value = field[1..]
                .iter()
                .try_fold(first, |value, &byte| Some(value.checked_mul(256)? | u64::from(byte)));
            return value
                .filter(|&value| i64::try_from(value).is_ok())
                .ok_or_else(|| self.broken(&format!("has a {what} that is no size")));
        }
        let digits: Vec<u8> =
            field.iter().copied().filter(|byte| !matches!(byte, b' ' | 0)).collect();
        if digits.is_empty() {
            return Ok(0);
        }
        std::str::from_utf8(&digits)
            .ok()
            .and_then(|digits| u64::from_str_radix(digits, 8).ok())
            .ok_or_else(|| self.broken(&format!("has a {what} that is no number")))
    }

    /// The data of a long name or link, without its closing NUL.
    fn text(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.data(&mut text)?;
        Ok(until_nul(&text))
    }

    /// Reads `LENGTH KEY=VALUE` records.
    fn pax(&mut self, extended: &mut Extended) -> io::Result<()> {
        let mut records = Vec::new();
        self.data(&mut records)?;
        let mut rest = records.as_slice();
        while !rest.is_empty() {
            let record = rest
                .iter()
                .position(|&byte| byte == b' ')
                .and_then(|space| {
                    let length = std::str::from_utf8(&rest[..space]).ok()?.parse::<usize>().ok()?;
                    let record = rest.get(space + 1..length)?.strip_suffix(b"\n")?;
                    rest = &rest[length..];
                    Some(record)
                })
                .ok_or_else(|| self.broken("has an extended header that is no list of records"))?;
            let Some(equals) = record.iter().position(|&byte| byte == b'=') else { continue };
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            match key {
                b"path" => extended.path = Some(value.to_vec()),
                b"linkpath" => extended.link = Some(value.to_vec()),
                b"size" => {
                    let size = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
                    let size = size.filter(|&size: &u64| i64::try_from(size).is_ok());
                    let wrong = || self.broken("has a size that is no number");
                    extended.size = Some(size.ok_or_else(wrong)?);
                }
                b"GNU.sparse.name" => {
                    extended.sparse = true;
                    extended.path = Some(value.to_vec());
                }
                _ if key.starts_with(b"GNU.sparse.") => extended.sparse = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// The blocks that continue an old GNU map of holes stand before the data.
    fn sparse_headers(&mut self) -> io::Result<()> {
        let mut block = [0; BLOCK];
        for _ in 0..MAX_TAR_META / BLOCK as u64 {
            self.reader.read_exact(&mut block)?;
            self.position += BLOCK as u64;
            if block[504] == 0 {
                return Ok(());
            }
        }
        Err(self.broken("has a map of holes without end"))
    }

    fn broken(&self, what: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format!("tar entry {} {what}", self.entries + 1))
    }
}

fn kind(flag: u8) -> Kind {
    match flag {
        b'1' => Kind::HardLink,
        b'2' => Kind::Link,
        b'3' | b'4' | b'6' => Kind::Special,
        b'5' => Kind::Directory,
        _ => Kind::File,
    }
}

fn name(block: &[u8; BLOCK]) -> Vec<u8> {
    let name = until_nul(&block[..100]);
    if &block[257..262] != b"ustar" || &block[257..265] == b"ustar  \0" {
        return name;
    }
    let prefix = until_nul(&block[345..500]);
    if prefix.is_empty() { name } else { [prefix.as_slice(), b"/", &name].concat() }
}

fn until_nul(field: &[u8]) -> Vec<u8> {
    field[..memchr::memchr(0, field).unwrap_or(field.len())].to_vec()
}
