//! Every code that a finding can carry, in one table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How bad a finding is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The platform would refuse this, or it cannot be built: exit status 2.
    Error,
    /// It builds, but will likely not do what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// Declares [`Code`] from one table: variant, public name, severity, and the page that `drydock explain` shows.
macro_rules! codes {
    ($($(#[$group:meta])* $variant:ident = $name:literal, $severity:ident, $page:literal;)*) => {
        /// What was found. Codes are public names and are never reused.
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

            /// How bad a finding of this code is.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// The page behind the code: what was seen, what the platform does, what to write instead.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $(Self::$variant => $page,)* }
            }
        }
    };
}

codes! {
    // Files and YAML.
    YamlSyntax = "yaml-syntax", Error, "The file is not valid YAML.";
    // Imports.
    // Agents and environments.
    // Steps (found by the planner).
    // Fidelity: what the platform does differently (found by the planner).
    // The checkout (found before the build).
}
