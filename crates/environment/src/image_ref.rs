//! [`ImageRef`]: one Docker/OCI image reference, read by the registry's own grammar.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod grammar;

/// A Docker/OCI image reference: `[domain[:port]/]path[:tag][@digest]`, kept as written.
///
/// The grammar is that of `distribution/reference` as Docker applies it to names that people type:
/// the first part is a registry only if it holds a `.`, a `:` or an upper-case letter, or is `localhost`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct ImageRef {
    text: String,
    domain: Option<Range<usize>>,
    path: Range<usize>,
    tag: Option<Range<usize>>,
    digest: Option<Range<usize>>,
}

impl ImageRef {
    /// The reference as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The registry, with its port; `None` means Docker Hub.
    #[must_use]
    pub fn domain(&self) -> Option<&str> {
        self.domain.clone().map(|range| &self.text[range])
    }

    /// The repository inside the registry, as written (`debian`, not `library/debian`).
    #[must_use]
    pub fn path(&self) -> &str {
        &self.text[self.path.clone()]
    }

    /// The tag, where one is written. Without tag and digest, builders take `latest`.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        self.tag.clone().map(|range| &self.text[range])
    }

    /// The digest with its algorithm, where one is written.
    #[must_use]
    pub fn digest(&self) -> Option<&str> {
        self.digest.clone().map(|range| &self.text[range])
    }
}

impl FromStr for ImageRef {
    type Err = ImageRefError;
    fn from_str(text: &str) -> Result<Self, ImageRefError> {
        grammar::parse(text)
    }
}

impl TryFrom<String> for ImageRef {
    type Error = ImageRefError;
    fn try_from(text: String) -> Result<Self, ImageRefError> {
        grammar::parse(&text)
    }
}

impl From<ImageRef> for String {
    fn from(reference: ImageRef) -> Self {
        reference.text
    }
}

impl fmt::Display for ImageRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl AsRef<str> for ImageRef {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Why a text is not an image reference, and which part of it is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageRefError {
    /// The rule that it breaks.
    pub kind: ImageRefFault,
    /// The part that breaks it, in bytes of the text. May be empty (something is missing there).
    pub span: Range<usize>,
}

/// A rule of the reference grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageRefFault {
    /// Nothing is written.
    Empty,
    /// The registry is not a host name, an IPv4 address or a bracketed IPv6 address.
    Domain,
    /// The port is not a number.
    Port,
    /// A part of the repository's path is empty.
    EmptyComponent,
    /// The repository's path holds an upper-case letter.
    Uppercase,
    /// A part of the path holds a character, or a run of separators, that is not allowed there.
    Component,
    /// The repository's path is longer than 255 bytes.
    TooLong,
    /// The tag is empty, longer than 128 characters, or holds a character that is not allowed.
    Tag,
    /// The digest's algorithm is none that registries know.
    DigestAlgorithm,
    /// The digest's value has the wrong length or is not lower-case hexadecimal.
    DigestValue,
    /// 64 hexadecimal digits alone: an image's id, which no registry resolves.
    BareId,
}

impl ImageRefFault {
    /// What the grammar expects at that place.
    #[must_use]
    pub const fn expected(self) -> &'static str {
        match self {
            Self::Empty => "an image reference such as `debian:bookworm`",
            Self::Domain => "a registry host: labels of letters, digits and inner `-`, or `[IPv6]`",
            Self::Port => "a port number from 0 to 65535 after the `:` of the registry",
            Self::EmptyComponent => "a name between the `/`",
            Self::Uppercase => "a repository name in lower case",
            Self::Component => {
                "lower-case letters and digits, joined by one `.`, one or two `_`, or any number of `-`"
            }
            Self::TooLong => "a repository name of at most 255 characters",
            Self::Tag => {
                "a tag of 1 to 128 letters, digits, `_`, `.` and `-` that starts with a letter, a digit or `_`"
            }
            Self::DigestAlgorithm => "`sha256:`, `sha384:` or `sha512:` after the `@`",
            Self::DigestValue => {
                "lower-case hexadecimal digits: 64 for sha256, 96 for sha384, 128 for sha512"
            }
            Self::BareId => "a name; a bare image id cannot be pulled",
        }
    }
}

impl fmt::Display for ImageRefError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an image reference: expected {}", self.kind.expected())
    }
}

impl std::error::Error for ImageRefError {}
