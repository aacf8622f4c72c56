//! What a chore stands on: an engine, a registry, and the bases in it; entered before the work, left after it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::bases::{self, Bases};
use crate::engine::{self, Engine, Place};
use crate::packages;
use crate::paths;
use crate::readers;
use crate::registry::{self, Registry};
use crate::root::Root;
use crate::sshd;

/// The engine, the registry and the bases, up and answering. Dropped, it stops what it started.
pub(crate) struct House {
    root: Option<Root>,
    engine: Engine,
    registry: Registry,
    bases: Bases,
    /// Whether the engine is the user's; then it is left as it was found.
    borrowed: bool,
    /// Whether all of it was there before, or shall be there afterwards.
    keep: bool,
}

impl House {
    /// Uses what `up` left running, or starts everything.
    pub(crate) fn enter() -> Result<Self> {
        match Self::kept()? {
            Some(house) => Ok(house),
            None => Self::start(),
        }
    }

    /// What `up` left running, if all of it still answers.
    pub(crate) fn kept() -> Result<Option<Self>> {
        let Ok(text) = fs::read_to_string(marker()) else { return Ok(None) };
        let mut words = text.split_whitespace();
        let (Some(address), Some(origin)) = (words.next(), words.next()) else { return Ok(None) };
        let (Some(engine), Some(registry)) =
            (Engine::running(Place::Here), Registry::running(address))
        else {
            return Ok(None);
        };
        let bases = Bases::named(&registry, origin);
        Ok(Some(Self { root: Root::find()?, engine, registry, bases, borrowed: false, keep: true }))
    }

    fn start() -> Result<Self> {
        fs::create_dir_all(paths::cache())?;
        let root = Root::find()?;
        if let Some(root) = root {
            crate::cancel::clean_up_with(move || drop(stop(root)))?;
            packages::install_missing(root)?;
            stop(root)?;
        }
        let (engine, borrowed) = engine(root)?;
        let registry = Registry::start()?;
        let bases = Bases::named(&registry, "built");
        let mut house = Self { root, engine, registry, bases, borrowed, keep: false };
        house.bases = bases::serve(root, &house.engine, &house.registry)?;
        Ok(house)
    }

    /// With the bases of the fixtures, which take longer to make than the two main ones.
    pub(crate) fn with_fixtures(self) -> Result<Self> {
        bases::serve_derived(&self.engine, &self.registry, &self.bases)?;
        Ok(self)
    }

    /// Leaves everything running for later chores.
    pub(crate) fn keep(mut self) -> Result<Self> {
        if self.borrowed {
            bail!(
                "an engine of somebody else is not kept; `cargo xtask test` uses it as long as it needs it"
            );
        }
        fs::write(marker(), format!("{} {}\n", self.registry.address(), self.bases.origin))?;
        self.keep = true;
        Ok(self)
    }

    /// The engine's address.
    pub(crate) fn host(&self) -> String {
        self.engine.host()
    }

    /// The engine.
    pub(crate) const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The registry.
    pub(crate) const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The root that packages are installed with, where there is one.
    pub(crate) const fn root(&self) -> Option<Root> {
        self.root
    }

    /// The glibc base.
    pub(crate) fn debian(&self) -> &str {
        &self.bases.debian
    }

    /// The musl base.
    pub(crate) fn musl(&self) -> &str {
        &self.bases.musl
    }

    /// Whether it goes on running after the chore.
    pub(crate) const fn is_kept(&self) -> bool {
        self.keep
    }

    /// The variables that live tests read.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![
            ("DRYDOCK_TEST_ENGINE", self.engine.host()),
            ("DRYDOCK_TEST_REGISTRY", self.registry.address()),
            ("DRYDOCK_TEST_BASE", self.bases.debian.clone()),
            ("DRYDOCK_TEST_MUSL_BASE", self.bases.musl.clone()),
            ("DRYDOCK_TEST_CACHE", paths::cache().display().to_string()),
            ("DRYDOCK_TEST_READERS", readers::folder().display().to_string()),
        ];
        all.extend(sshd::variable());
        all
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if self.keep || crate::cancel::cancelled() {
            return;
        }
        if self.borrowed {
            bases::forget(&self.engine, &self.registry);
        }
        match self.root.map_or_else(registry::stop, stop) {
            Ok(()) => {}
            Err(error) => eprintln!("xtask: not everything could be stopped: {error:#}"),
        }
    }
}

/// Stops what `up` left running.
pub(crate) fn down() -> Result<()> {
    let root = Root::find()?
        .context("stopping the test engine needs root or a `sudo` that asks nothing")?;
    drop(fs::remove_file(marker()));
    stop(root)
}

/// An engine of our own where root can start one, else the user's.
fn engine(root: Option<Root>) -> Result<(Engine, bool)> {
    let reason = match root.map(|root| Engine::start(root, Place::Here)) {
        Some(Ok(engine)) => return Ok((engine, false)),
        Some(Err(error)) => error,
        None => anyhow::anyhow!("starting an engine needs root or a `sudo` that asks nothing"),
    };
    let Some(engine) = Engine::of_the_user() else { return Err(reason) };
    eprintln!("xtask: using the engine at {}, since no own one came up: {reason:#}", engine.host());
    Ok((engine, true))
}

fn stop(root: Root) -> Result<()> {
    drop(fs::remove_file(marker()));
    registry::stop()?;
    Place::ALL.into_iter().try_for_each(|place| engine::stop(root, place))
}

/// Written by `up`: what is running is meant to be.
fn marker() -> PathBuf {
    paths::cache().join("kept")
}
