//! The verbs of a Dockerfile.

use std::str::FromStr;

macro_rules! verbs {
    ($($variant:ident = $name:literal,)*) => {
        /// What an instruction does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Verb { $($variant,)* }

        impl Verb {
            /// All verbs.
            pub(super) const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// As Dockerfiles write it.
            pub(super) const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

verbs! {
    Add = "ADD",
    Arg = "ARG",
    Cmd = "CMD",
    Copy = "COPY",
    Entrypoint = "ENTRYPOINT",
    Env = "ENV",
    Expose = "EXPOSE",
    From = "FROM",
    Healthcheck = "HEALTHCHECK",
    Label = "LABEL",
    Maintainer = "MAINTAINER",
    Onbuild = "ONBUILD",
    Run = "RUN",
    Shell = "SHELL",
    StopSignal = "STOPSIGNAL",
    User = "USER",
    Volume = "VOLUME",
    Workdir = "WORKDIR",
}

/// A word that is no verb.
#[derive(Debug)]
pub(super) struct Unknown;

impl FromStr for Verb {
    type Err = Unknown;

    /// Capitals do not matter.
    fn from_str(word: &str) -> Result<Self, Unknown> {
        Self::ALL.iter().copied().find(|verb| verb.name().eq_ignore_ascii_case(word)).ok_or(Unknown)
    }
}

/// The verb that was probably meant by a word that is none.
pub(super) fn meant(word: &str) -> Option<Verb> {
    let upper = word.to_ascii_uppercase();
    // One slip of the finger. More would take ordinary commands for verbs.
    let near = |verb: &&Verb| strsim::osa_distance(&upper, verb.name()) == 1;
    Verb::ALL.iter().find(near).copied()
}
