//! The five checks of the contract.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One check of the contract. The order of the variants is the order in which the probe asks.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The build runs as effective uid 0.
    Root,
    /// `uname -s` says `Linux`.
    Os,
    /// `uname -m` says `x86_64`.
    Arch,
    /// One of the two paths of the x86-64 glibc loader exists.
    GlibcLoader,
    /// `getconf GNU_LIBC_VERSION` says glibc 2.28 or newer.
    Glibc,
}

impl Check {
    /// All checks, in the probe's order.
    pub const ALL: [Self; 5] = [Self::Root, Self::Os, Self::Arch, Self::GlibcLoader, Self::Glibc];

    /// The check's name as it stands behind `check=`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Os => "os",
            Self::Arch => "arch",
            Self::GlibcLoader => "glibc-loader",
            Self::Glibc => "glibc",
        }
    }

    /// The reason as it stands behind `reason=`.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Root => "requires-root-user",
            Self::Os => "requires-linux",
            Self::Arch => "requires-linux-x86_64",
            Self::GlibcLoader => "requires-glibc-loader",
            Self::Glibc => "requires-gnu-libc-2.28-or-newer",
        }
    }
}
