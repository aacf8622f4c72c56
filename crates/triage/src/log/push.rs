//! A push as the engine's command line tells it, where nothing else says that it is one.

use super::build::{Build, Kind};
use super::ending;
use super::step::bounded;

impl Build {
    /// Takes what a line says about a push that goes on.
    pub(super) fn follow_push(&mut self, number: u64, text: &str) {
        if let Some(name) = repository(text) {
            self.pushes = Some(bounded(name));
            self.well = None;
        } else if self.pushes.is_none() && is_layer(text) {
            self.pushes = Some(String::new());
        } else if ending::is_pushed(text) {
            self.pushed = Some(number);
        }
    }

    /// Whether a line begins a push that is not another try of this one.
    pub(super) fn is_of_another_push(&self, text: &str) -> bool {
        let behind_a_build = || self.kind != Kind::Loose && self.has_ended();
        let Some(name) = repository(text) else { return behind_a_build() && is_layer(text) };
        match &self.pushes {
            Some(known) => !known.is_empty() && known != name,
            None => behind_a_build(),
        }
    }
}

/// The repository that the first line of a push names.
fn repository(text: &str) -> Option<&str> {
    let (_, name) = text.strip_prefix("The push refers to ")?.split_once('[')?;
    name.split_once(']').map(|(name, _)| name)
}

/// `fc0452fbd934: Pushing …`.
fn is_layer(text: &str) -> bool {
    let Some((id, said)) = text.split_once(": ") else { return false };
    let states = ["Preparing", "Waiting", "Pushing", "Pushed", "Layer already exists"];
    id.len() == 12
        && id.bytes().all(|byte| byte.is_ascii_hexdigit())
        && states.iter().any(|state| said.starts_with(state))
}

/// Whether a registry ends a push with this line.
pub(super) fn refuses(text: &str) -> bool {
    let words = [
        "denied: ",
        "unauthorized: ",
        "received unexpected HTTP status: ",
        "error parsing HTTP ",
        "unknown: ",
    ];
    words.iter().any(|word| text.starts_with(word))
}
