//! A case: what an image is made of, and what the probe says of it.

use std::path::Path;

use contract::{Answer, Check};
use serde::Deserialize;

/// One image.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    #[serde(skip)]
    pub(crate) name: String,
    /// Why this image is of interest.
    #[expect(dead_code, reason = "for whoever reads the case")]
    why: String,
    pub(crate) base: Base,
    /// What is laid over the base, layer by layer.
    #[serde(default)]
    pub(crate) layers: Vec<Vec<Change>>,
    /// The `config` of the image's config.
    #[serde(default)]
    pub(crate) config: serde_json::Value,
    pub(crate) architecture: Option<String>,
    pub(crate) expect: Said,
    /// What the classic builder shows, where it is something else.
    pub(crate) classic: Option<Said>,
}

/// What a case starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Base {
    /// Debian bookworm with one `/usr`.
    Debian,
    /// The same files with `/bin` and `/lib` apart from `/usr`.
    Unmerged,
    /// BusyBox and the musl loader.
    Musl,
    /// Nothing.
    Empty,
    /// Debian trixie: shell, coreutils and libc.
    Trixie,
    /// Debian sid: the same.
    Sid,
    /// Other shells and commands of Debian bookworm, to copy from.
    Others,
}

/// One change. Files are taken from a base: `debian:/usr/bin/true`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Change {
    Delete(String),
    Opaque(String),
    Folder(String),
    Link(String, String),
    HardLink(String, String),
    Text(String, String),
    Script(String, String),
    Copy(String, String),
    /// A copy without permission to execute.
    CopyPlain(String, String),
    /// A copy with one byte changed: path, source, offset, value.
    CopyChanged(String, String, usize, u8),
}

/// A file of a base, by `base:/path`.
pub(crate) fn source(from: &str) -> Result<(Base, &str), String> {
    let (base, path) = from.split_once(":/").ok_or_else(|| format!("{from} names no base"))?;
    let base = serde_json::from_value(base.into()).map_err(|error| error.to_string())?;
    Ok((base, path))
}

/// What the probe is seen to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Said {
    Pass,
    Root,
    Os,
    Arch,
    GlibcLoader,
    Glibc,
    /// The build fails without a marker.
    Silent,
}

impl Said {
    /// What a static answer promises; `None` when it promises nothing.
    pub(crate) fn of(answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Accepted => Some(Self::Pass),
            Answer::Refused { check, .. } => Some((*check).into()),
            Answer::Silent { .. } => Some(Self::Silent),
            Answer::Unreadable { .. } => None,
        }
    }
}

impl From<Check> for Said {
    fn from(check: Check) -> Self {
        match check {
            Check::Root => Self::Root,
            Check::Os => Self::Os,
            Check::Arch => Self::Arch,
            Check::GlibcLoader => Self::GlibcLoader,
            Check::Glibc => Self::Glibc,
        }
    }
}

impl Case {
    /// Every base that it is made from.
    pub(crate) fn bases(&self) -> Vec<Base> {
        let copied = self.layers.iter().flatten().filter_map(|change| match change {
            Change::Copy(_, from)
            | Change::CopyPlain(_, from)
            | Change::CopyChanged(_, from, _, _) => Some(source(from).ok()?.0),
            Change::Delete(_)
            | Change::Opaque(_)
            | Change::Folder(_)
            | Change::Link(..)
            | Change::HardLink(..)
            | Change::Text(..)
            | Change::Script(..) => None,
        });
        copied.chain([self.base]).collect()
    }

    /// Every case of the folder, by name.
    pub(crate) fn all() -> Result<Vec<Self>, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agreement/cases");
        let mut cases = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            let at = path.display();
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{at}: {error}"))?;
            let mut case: Self =
                serde_json::from_str(&text).map_err(|error| format!("{at}: {error}"))?;
            case.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            cases.push(case);
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(cases)
    }
}
