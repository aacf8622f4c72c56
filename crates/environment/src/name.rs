//! Checked names: one door each, so that nothing downstream asks again.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares a checked string: private field, `FromStr` as its only door, also for serde.
macro_rules! checked_name {
    ($(#[$doc:meta])* $name:ident, $test:expr, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(String);

        impl $name {
            /// What such a name looks like, as a fragment for "expected …".
            pub const EXPECTED: &'static str = $expected;

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;
            fn from_str(text: &str) -> Result<Self, NameError> {
                let test: fn(&str) -> bool = $test;
                if test(text) { Ok(Self(text.to_owned())) } else { Err(NameError(Self::EXPECTED)) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;
            fn try_from(text: String) -> Result<Self, NameError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

checked_name! {
    /// The name of an environment variable: `[A-Za-z_][A-Za-z0-9_]*`.
    EnvKey,
    |text| {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        text.bytes().all(word) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
    },
    "letters, digits and `_`, not starting with a digit"
}

checked_name! {
    /// The name of a secret on the platform. Its grammar is not published: one word is all we ask.
    SecretName,
    |text| !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control()),
    "the name of a secret, one word"
}

checked_name! {
    /// The name of an agent, an environment, a setup entry or a cache key: `[A-Za-z0-9_.-]{1,128}`.
    ResourceName,
    |text| {
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        (1..=128).contains(&text.len()) && text.bytes().all(inner)
    },
    "1 to 128 letters, digits, `_`, `.` and `-`"
}

checked_name! {
    /// The stable name of a stage: `probe`, `steps[0]`, `setup[install]`.
    StageId,
    |text| !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control()),
    "one word"
}

/// A text is not a name of the wanted kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameError(&'static str);

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl std::error::Error for NameError {}
