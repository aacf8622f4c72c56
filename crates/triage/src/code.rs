//! Every code that a failure can carry, in one table.

use contract::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Owner, Retry};

/// Declares [`Code`] from one table: variant, public name, owner, retry, page.
macro_rules! codes {
    ($($variant:ident = $name:literal, $owner:ident, $retry:expr, $page:literal;)*) => {
        /// What failed. Codes are public names and are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Code { $(#[doc = $page] #[serde(rename = $name)] $variant,)* }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Who must act, unless the log says otherwise.
            #[must_use]
            pub const fn owner(self) -> Owner {
                match self { $(Self::$variant => Owner::$owner,)* }
            }

            /// Whether trying again can help, unless the log says otherwise.
            #[must_use]
            pub const fn retry(self) -> Retry {
                match self { $(Self::$variant => $retry,)* }
            }

            /// The page that `drydock explain` shows.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $(Self::$variant => $page,)* }
            }
        }
    };
}

codes! {
    ContractRoot = "contract-root", BaseImage, Retry::Never, "The base does not build as root.";
    ContractOs = "contract-os", BaseImage, Retry::Never, "The base is not Linux.";
    ContractArch = "contract-arch", BaseImage, Retry::Never, "The base is not x86_64.";
    ContractGlibcLoader = "contract-glibc-loader", BaseImage, Retry::Never, "The base has no glibc loader.";
    ContractGlibc = "contract-glibc", BaseImage, Retry::Never, "The base's glibc is older than 2.28, or not glibc.";
    Unclassified = "unclassified", Author, Retry::Never, "Not recognised.";
}

impl From<Check> for Code {
    fn from(check: Check) -> Self {
        match check {
            Check::Root => Self::ContractRoot,
            Check::Os => Self::ContractOs,
            Check::Arch => Self::ContractArch,
            Check::GlibcLoader => Self::ContractGlibcLoader,
            Check::Glibc => Self::ContractGlibc,
        }
    }
}
