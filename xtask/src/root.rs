//! Runs commands as root: as they are for root, through `sudo` for everybody else.

use std::ffi::OsStr;
use std::process::Command;

use anyhow::Result;

use crate::command::{capture, command, succeeds};

/// A way to root.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    sudo: bool,
}

impl Root {
    /// The way to root, where there is one that asks no question: nothing here may wait for a password.
    pub(crate) fn find() -> Result<Option<Self>> {
        if capture(&mut command("id", ["-u"]))?.trim() == "0" {
            return Ok(Some(Self { sudo: false }));
        }
        let sudo = succeeds(&mut command("sudo", ["-n", "true"]));
        Ok(sudo.then_some(Self { sudo }))
    }

    /// A command that runs as root.
    pub(crate) fn command<I, S>(self, program: &str, args: I) -> Command
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        if !self.sudo {
            return command(program, args);
        }
        let mut command = command("sudo", ["-n", program]);
        command.args(args);
        command
    }
}
