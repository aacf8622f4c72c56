//! How a case is expected to end: `"pass"`, a code, or a failure by code, phase and owner, or contract check.

use std::borrow::Cow;
use std::fmt;

use contract::Check;
use runner::Outcome;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use triage::{Owner, Phase};

use crate::report::json::FindingRow;
use crate::report::name_of;

/// How a case is expected to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Expect {
    /// `"pass"`.
    #[default]
    Pass,
    /// A failure for a stated reason.
    Fail(ExpectedFailure),
}

/// A failure that is expected. Everything that is written must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ExpectedFailure {
    /// The code of a failure, or of an error in the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<CodeName>,
    /// The phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phase: Option<Phase>,
    /// Who must act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<Owner>,
    /// The check of the contract that fails, by the probe's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) check: Option<Check>,
}

/// The name of a code that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct CodeName(String);

impl CodeName {
    fn new(name: &str) -> Result<Self, String> {
        let failures = triage::Code::ALL.iter().map(|code| code.name());
        let names: Vec<&str> =
            failures.chain(environment::Code::ALL.iter().map(|code| code.name())).collect();
        if names.contains(&name) {
            return Ok(Self(name.to_owned()));
        }
        let near = names.into_iter().min_by_key(|known| strsim::levenshtein(known, name));
        let near = near.filter(|known| strsim::levenshtein(known, name) <= 4);
        let near = near.map_or(String::new(), |known| format!("; did you mean `{known}`?"));
        Err(format!("no such code: `{name}`{near} (`drydock explain --list` shows all)"))
    }
}

impl ExpectedFailure {
    /// Whether the run ended for this reason.
    pub(crate) fn is(&self, outcome: &Outcome, findings: &[FindingRow]) -> bool {
        let Self { code, phase, owner, check } = self;
        let Some(failure) = &outcome.failure else { return false };
        let named = super::code(outcome, findings);
        code.as_ref().is_none_or(|code| named.as_deref() == Some(code.0.as_str()))
            && phase.is_none_or(|phase| phase == failure.phase)
            && owner.is_none_or(|owner| owner == failure.owner)
            && check.is_none_or(|check| failure.code == triage::Code::from(check))
    }

    /// Refuses an expectation that nearly any failure would meet.
    fn checked(self) -> Result<Self, &'static str> {
        match &self {
            Self { code: None, check: None, phase: Some(_), owner: Some(_) } => Ok(self),
            Self { code: None, check: None, .. } => Err(
                "an expected failure needs its `code`, its contract `check`, or `phase` and `owner`",
            ),
            _ => Ok(self),
        }
    }
}

impl fmt::Display for ExpectedFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, phase, owner, check } = self;
        let what = match (code, check) {
            (Some(code), _) => code.0.clone(),
            (None, Some(check)) => format!("check {}", check.name()),
            (None, None) => "a failure".to_owned(),
        };
        f.write_str(&what)?;
        if let Some(phase) = phase {
            write!(f, " in {}", name_of(phase))?;
        }
        if let Some(owner) = owner {
            write!(f, " (owner: {})", name_of(owner))?;
        }
        Ok(())
    }
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Fail(failure) => failure.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for CodeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl JsonSchema for Expect {
    fn schema_name() -> Cow<'static, str> {
        "Expect".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let failure = generator.subschema_for::<ExpectedFailure>();
        json_schema!({
            "description": "How a case is expected to end.",
            "anyOf": [{ "const": "pass" }, failure]
        })
    }
}

impl Serialize for Expect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Pass => serializer.serialize_str("pass"),
            Self::Fail(failure) => failure.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Expect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Expect;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "\"pass\", a code, or a table with `code`, `check`, or `phase` and `owner`",
                )
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Expect, E> {
                if word == "pass" {
                    return Ok(Expect::Pass);
                }
                let code = Some(CodeName::new(word).map_err(E::custom)?);
                Ok(Expect::Fail(ExpectedFailure { code, ..ExpectedFailure::default() }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Expect, A::Error> {
                let failure = ExpectedFailure::deserialize(MapAccessDeserializer::new(map))?;
                failure.checked().map(Expect::Fail).map_err(de::Error::custom)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        serde_json::from_str::<Expect>(text).unwrap_err().to_string()
    }

    #[test]
    fn an_expectation_that_says_too_little_or_nothing_known_is_refused() {
        for (text, words) in [
            (r#""contract-glibc-loder""#, "did you mean `contract-glibc-loader`?"),
            (r#"{"phase": "setup"}"#, "needs its `code`"),
            (r#"{"owner": "author"}"#, "needs its `code`"),
            ("{}", "needs its `code`"),
            (r#"{"codes": "unclassified"}"#, "unknown field `codes`"),
            (r#"{"check": "libc"}"#, "unknown variant `libc`"),
            ("true", "expected \"pass\""),
        ] {
            let message = refused(text);
            assert!(message.contains(words), "{text}: {message}");
        }
    }

    #[test]
    fn an_expectation_reads_back_what_it_writes() {
        for text in [
            r#""pass""#,
            r#"{"code":"contract-glibc"}"#,
            r#"{"phase":"setup","owner":"author"}"#,
            r#"{"check":"glibc-loader"}"#,
        ] {
            let expect: Expect = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&expect).unwrap(), text);
        }
    }
}
