//! The line that the probe prints when a check fails.

use std::fmt;

use crate::{Check, NAME};

/// The word that every marker line starts with.
const WORD: &str = "AUTO_ENVIRONMENT_IMAGE_CONTRACT_ERROR";

/// A marker: the probe's own statement that a check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker(pub Check);

impl Marker {
    /// Reads a marker that is the **whole** line (white space around it aside).
    ///
    /// The probe's source holds every marker, and builders echo that source in step titles, source
    /// frames and closing errors, so a marker inside a longer line says nothing. The caller removes
    /// the builder's line prefix and colours, and passes only lines of the probe step's own output.
    #[must_use]
    pub fn from_line(line: &str) -> Option<Self> {
        let line = line.trim();
        if !line.starts_with(WORD) {
            return None;
        }
        Check::ALL.into_iter().map(Marker).find(|marker| marker.to_string() == line)
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(check) = self;
        write!(f, "{WORD} contract={NAME} check={} reason={}", check.name(), check.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_stands_in_the_probe_and_reads_back() {
        for check in Check::ALL {
            let line = Marker(check).to_string();
            assert!(crate::PROBE.contains(&format!("'{line}'")), "{line}");
            assert_eq!(Marker::from_line(&line), Some(Marker(check)));
        }
    }

    #[test]
    fn an_echo_is_not_a_marker() {
        let line = Marker(Check::Glibc).to_string();
        for echo in [
            format!("auto_contract_fail '{line}'"),
            format!("{line};"),
            format!("#5 [2/9] RUN {line}"),
            crate::PROBE.to_owned(),
        ] {
            assert_eq!(Marker::from_line(&echo), None, "{echo}");
        }
    }
}
