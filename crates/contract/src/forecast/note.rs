//! Something about an image that is worth knowing: a code, a weight, one line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// What.
    pub code: NoteCode,
    /// How much it matters.
    pub severity: Weight,
    /// One line.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// How much a note matters.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The build fails.
    Error,
    /// It builds, but will likely not do what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl Note {
    pub(super) fn new(code: NoteCode, message: String) -> Self {
        let hint = Some(code.hint()).filter(|hint| !hint.is_empty()).map(str::to_owned);
        Self { code, severity: code.severity(), message, hint }
    }
}

/// Declares [`NoteCode`] from one table: variant, public name, weight, advice.
macro_rules! codes {
    ($($variant:ident = $name:literal, $weight:ident, $hint:literal;)*) => {
        /// What a note is about. Names are public and never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum NoteCode { $(#[doc = $name] #[serde(rename = $name)] $variant,)* }

        impl NoteCode {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> Weight {
                match self { $(Self::$variant => Weight::$weight,)* }
            }

            /// What to do about it.
            #[must_use]
            pub const fn hint(self) -> &'static str {
                match self { $(Self::$variant => $hint,)* }
            }
        }
    };
}

codes! {
    NoAptGet = "image-no-apt-get", Error,
        "Choose a Debian or Ubuntu base.";
    SuiteArchived = "image-suite-archived", Error,
        "Choose a base of a release that is still on the mirrors, or point its sources at the archive in a base of your own.";
    UserTaken = "image-user-taken", Warning,
        "The platform keeps the account it finds under this name: its home and shell are the image's.";
    Uid1000Taken = "image-uid-1000-taken", Note,
        "The session's account gets another user id: do not rely on 1000 in steps or setup.";
    PathLost = "image-path-lost", Warning,
        "Put links into /usr/local/bin, or set PATH in each setup entry: setup runs in a login shell.";
    Entrypoint = "image-entrypoint", Note,
        "The session starts its own command; what this one prepares does not happen.";
    OnBuild = "image-onbuild", Warning,
        "These run before the platform's own first line, as if the definition had asked for them.";
    Shell = "image-shell", Warning,
        "Every step runs in this shell instead of /bin/sh.";
    Volume = "image-volume", Warning,
        "The classic builder throws away what a step writes there; BuildKit keeps it.";
    User = "image-user", Note,
        "Steps run as root all the same: the platform switches to root first.";
    LoaderVariables = "image-loader-variables", Warning,
        "They change every program of every step, the package manager's too.";
}
