//! Packages by manager: the documented command, and what each manager reads as one package.

mod spec;

use crate::Code;
use crate::check::{self, Checks};
use crate::fault::{Fault, quote};
use crate::yaml::Node;

/// A package manager that a platform installs with.
#[derive(Debug)]
pub(crate) struct Manager {
    /// The key in `packages`.
    pub(crate) name: &'static str,
    /// What stands in front of the packages; it is run by `/bin/sh -c`.
    pub(crate) command: &'static str,
    /// Says what is wrong with one package, and what to write instead.
    spec: fn(&str) -> Result<(), spec::Wrong>,
    /// Instructions that put the manager into a base that lacks it; none for those that a stand-in has.
    /// What it installs must land where every shell looks: a login shell sets its own `PATH`.
    pub(crate) tools: &'static [&'static str],
}

pub(crate) const APT: Manager = Manager {
    name: "apt",
    // A base's package lists are old or removed, so they are always fetched first.
    command: "apt-get update && apt-get install -y",
    spec: spec::apt,
    tools: &[],
};
pub(crate) const NPM: Manager =
    Manager { name: "npm", command: "npm install -g", spec: spec::npm, tools: &[] };
pub(crate) const PIP: Manager =
    Manager { name: "pip", command: "pip install", spec: spec::pip, tools: &[] };
pub(crate) const CARGO: Manager = Manager {
    name: "cargo",
    command: "cargo install",
    spec: spec::cargo,
    tools: &[
        "RUN command -v cargo >/dev/null || { apt-get update && apt-get install -y --no-install-recommends cargo; }",
        "ENV CARGO_INSTALL_ROOT=/usr/local",
    ],
};
pub(crate) const GEM: Manager = Manager {
    name: "gem",
    command: "gem install",
    spec: spec::gem,
    tools: &[
        "RUN command -v gem >/dev/null || { apt-get update && apt-get install -y --no-install-recommends ruby-dev; }",
    ],
};
pub(crate) const GO: Manager = Manager {
    name: "go",
    // One call takes the packages of one module and version only.
    command: "set -e; each() { for one; do go install \"$one\"; done; }; each",
    spec: spec::go,
    tools: &[
        "RUN command -v go >/dev/null || { apt-get update && apt-get install -y --no-install-recommends golang-go; }",
        "ENV GOBIN=/usr/local/bin",
    ],
};

impl Manager {
    /// Checks one item of the manager's list.
    pub(crate) fn check(&self, checks: &mut Checks, field: check::Field<'_>, item: &Node) {
        // What is no text, or empty, has been found by the shape's check.
        let Some(text) = item.as_text().filter(|text| !text.trim().is_empty()) else { return };
        if let Err(wrong) = spec::common(text).and_then(|()| (self.spec)(text)) {
            let shown = if wrong.secret { String::from("the address") } else { quote(text) };
            let message = format!("`{field}`: {shown} {}", wrong.message);
            let fault = Fault::new(Code::PackageSpec, item.span(), message)
                .expected(format!("one package as {} writes it", self.name))
                .maybe_hint(wrong.hint);
            checks.push(fault);
        }
    }
}
