//! The `[matrix]` part of `drydock.toml`, as it is written.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::de::{self, SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::judge::Expect;

/// Cases that must each end as expected.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct Matrix {
    /// How often a case is tried again when infrastructure failed.
    pub(crate) retries: Option<u32>,
    /// Names for base images.
    pub(crate) bases: BTreeMap<String, Spanned<String>>,
    /// The rows; each stands for environments × bases × builders.
    pub(crate) case: Vec<Spanned<Row>>,
}

/// One `[[matrix.case]]`.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct Row {
    /// Its name; made of its parts when left out.
    pub(crate) name: Option<String>,
    /// The repository's folder, relative to the file's own; the file's own repository when left out.
    pub(crate) repository: Option<Spanned<String>>,
    /// Agents' files, agents' or environments' names; all of the repository when left out.
    pub(crate) environment: Option<Words>,
    /// Names of `[matrix.bases]` or references; the definition's own when left out.
    pub(crate) base: Option<Words>,
    /// `auto`, `classic` or `buildkit`.
    pub(crate) builder: Option<Words>,
    /// How it must end; `"pass"` when left out.
    pub(crate) expect: Expect,
    /// Commands that must pass, after the ones that the repository always wants.
    #[serde(deserialize_with = "super::commands")]
    pub(crate) smoke: Vec<String>,
    /// How long each part may take.
    pub(crate) limits: Limits,
    /// How long all of it may take.
    pub(crate) time_limit: Option<Time>,
}

/// How long each part may take; what is left out is as for `drydock check`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Limits {
    /// One setup entry.
    pub(crate) setup: Option<Time>,
    /// One authored step.
    pub(crate) step: Option<Time>,
    /// One smoke command.
    pub(crate) smoke: Option<Time>,
    /// Without a sign of life.
    pub(crate) silence: Option<Time>,
}

/// A time as people write it: `90s`, `20m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) Duration);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        humantime::parse_duration(&text).map(Self).map_err(|error| {
            de::Error::custom(format!("`{text}` is no time such as `90s`: {error}"))
        })
    }
}

/// One word, or several, each with its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words(pub(crate) Vec<Spanned<String>>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let either = Spanned::<OneOrMore>::deserialize(deserializer)?;
        let span = either.span();
        match either.into_inner() {
            OneOrMore::One(word) => Ok(Self(vec![Spanned::new(span, word)])),
            OneOrMore::More(words) if words.is_empty() => {
                Err(de::Error::custom("an empty list tries nothing; leave the key out for all"))
            }
            OneOrMore::More(words) => Ok(Self(words)),
        }
    }
}

enum OneOrMore {
    One(String),
    More(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = OneOrMore;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<OneOrMore, E> {
                Ok(OneOrMore::One(word.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, words: A) -> Result<OneOrMore, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(words)).map(OneOrMore::More)
            }
        }
        deserializer.deserialize_any(Either)
    }
}
