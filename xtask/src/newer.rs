//! The newer engine: a later Debian's, with `docker buildx`, for what this machine's own engine is too old to show.

mod system;

use std::path::Path;

use anyhow::Result;

use crate::engine::{Engine, Place};
use crate::root::Root;

/// The newer engine, or why there is none.
pub(crate) enum Newer {
    /// It answers.
    Answers(Engine),
    /// Its packages cannot be had on this machine. That alone lets the tests that need it be left out.
    CannotBeHad(String),
}

impl Newer {
    /// Uses what `up` left running, or starts it; `House` stops it with everything else.
    pub(crate) fn enter(root: Option<Root>) -> Result<Self> {
        if let Some(newer) = Self::kept() {
            return Ok(newer);
        }
        let Some(root) = root else {
            let reason = "unpacking it needs root or a `sudo` that asks nothing";
            return Ok(Self::CannotBeHad(reason.to_owned()));
        };
        match system::install(root)? {
            Ok(()) => Engine::start(root, Place::Newer).map(Self::Answers),
            Err(reason) => Ok(Self::CannotBeHad(reason)),
        }
    }

    /// What `up` left running, if it still answers.
    pub(crate) fn kept() -> Option<Self> {
        Engine::running(Place::Newer).map(Self::Answers)
    }

    /// The variables that live tests read.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let shown = |path: &Path| path.display().to_string();
        match self {
            Self::Answers(engine) => vec![
                ("DRYDOCK_TEST_NEWER_ENGINE", engine.host()),
                ("DRYDOCK_TEST_BUILDX", shown(&system::buildx())),
            ],
            Self::CannotBeHad(reason) => {
                vec![("DRYDOCK_TEST_NEWER_CANNOT_BE_HAD", reason.clone())]
            }
        }
    }
}
