//! One definition while it is read: its fields, where they come from, and what is wrong with them.

use crate::check::{self, Checks, at};
use crate::fault::Fault;
use crate::shape::{Object, check as shape_check, kept};
use crate::trace::Trace;
use crate::yaml::{Entry, Map, Node, Scalar, Span};
use crate::{
    Accounts, Assumption, Base, Basis, Checkout, Compute, Dialect, ImageRef, Network, Options,
    Origin, ResolvedEnvironment, Reuse, Severity, Sourced, Text,
};

/// A definition of one file, and what is found in it.
pub(crate) struct Definition<'d> {
    /// The file's value, a mapping.
    pub(crate) root: &'d Node,
    /// Its entries.
    pub(crate) map: &'d Map,
    pub(crate) trace: &'d Trace<'d>,
    pub(crate) options: &'d Options,
    pub(crate) checks: Checks,
}

impl<'d> Definition<'d> {
    pub(crate) fn push(&mut self, fault: Fault) {
        self.checks.push(fault);
    }

    /// Checks everything that the format's table of fields says.
    pub(crate) fn check(&mut self, fields: &'static Object, name: &'static str) {
        let place = self.span();
        let name = check::Field::root(name);
        shape_check::fields(&mut self.checks, name, (place, self.map), fields, fields);
    }

    /// Where to point for the definition as a whole.
    pub(crate) fn span(&self) -> Span {
        self.map.entries().first().map_or(self.root.span(), |entry| entry.key.span)
    }

    /// Whether anything found so far keeps the platform from taking the definition.
    pub(crate) fn is_refused(&self) -> bool {
        self.checks.faults.iter().any(|fault| fault.code.severity() == Severity::Error)
    }

    /// The entry at a path of keys, if it is written and not nothing.
    pub(crate) fn entry(&self, path: &[&str]) -> Option<&'d Entry> {
        entry(self.map, path)
    }

    /// A text.
    pub(crate) fn text(&self, path: &[&str]) -> Option<Sourced<String>> {
        self.entry(path).and_then(|entry| self.text_of(entry))
    }

    pub(crate) fn text_of(&self, entry: &Entry) -> Option<Sourced<String>> {
        let text = entry.value.as_text()?.to_owned();
        Some(self.trace.authored(text, at(entry)))
    }

    /// A boolean; `page` says that it is `false` when it is left out.
    pub(crate) fn flag(&self, path: &[&str], page: &str) -> Sourced<bool> {
        let written = self.entry(path).and_then(|entry| {
            let flag = entry.value.as_scalar().and_then(Scalar::boolean)?;
            Some(self.trace.authored(flag, at(entry)))
        });
        written.unwrap_or_else(|| documented(false, page))
    }

    /// A script, byte for byte; one that is empty is none.
    pub(crate) fn script(&self, path: &[&str]) -> Option<Text> {
        let node = &self.entry(path)?.value;
        node.as_text().filter(|text| !text.trim().is_empty()).map(|_| self.trace.text(node))
    }

    /// The items of a list.
    pub(crate) fn items(&self, path: &[&str]) -> &'d [Node] {
        self.entry(path).and_then(|entry| entry.value.as_list()).unwrap_or(&[])
    }

    /// The entries of a mapping.
    pub(crate) fn entries(&self, path: &[&str]) -> &'d [Entry] {
        self.entry(path).and_then(|entry| entry.value.as_map()).map_or(&[], Map::entries)
    }

    /// The platform's own image: the reference of the settings, else the format's own stand-in, and
    /// what the difference leaves open.
    pub(crate) fn vendor_base(
        &self,
        dialect: Dialect,
        base: &VendorBase,
    ) -> Option<(Base, Assumption)> {
        let VendorBase { name, made_of, stand_in, distance, dated } = base;
        let (stand_in, why) = match self.options.stand_ins.get(&dialect) {
            Some(reference) => {
                let why =
                    format!("{reference} stands in for the platform's image, which is {made_of}");
                (
                    assumed(
                        reference.clone(),
                        "this repository's stand-in for the platform's image",
                    ),
                    why,
                )
            }
            None => {
                let reference: ImageRef = stand_in.parse().ok()?;
                let why = format!(
                    "{reference} stands in for the platform's image, which is {made_of}; the stand-in {distance} ({dated})"
                );
                (assumed(reference, "Drydock's stand-in for the platform's image"), why)
            }
        };
        let name = assumed((*name).to_owned(), "Drydock's name for the platform's image");
        let assumption = Assumption { what: "vendor-base".to_owned(), why };
        Some((Base::Vendor { name, stand_in }, assumption))
    }

    /// An environment with nothing in it but where it comes from and what it keeps.
    pub(crate) fn environment(&self, outline: Outline) -> ResolvedEnvironment {
        let Outline { dialect, profile, fields, base, accounts, workdir, assumptions } = outline;
        let (base, vendor) = base;
        let mut open = vec![vendor];
        open.extend(assumptions.iter().map(Assumption::from));
        ResolvedEnvironment {
            schema: "resolved-environment/1".to_owned(),
            origin: Origin {
                dialect,
                profile: profile.to_owned(),
                name: None,
                agent: None,
                description: None,
                labels: std::collections::BTreeMap::new(),
                annotations: std::collections::BTreeMap::new(),
                sources: self.trace.files().iter().map(|id| self.trace.source_file(*id)).collect(),
            },
            base,
            contract: None,
            accounts,
            workdir: Some(workdir),
            checkouts: Vec::<Checkout>::new(),
            variables: Vec::new(),
            stages: Vec::new(),
            network: Network::Unspecified,
            compute: Compute::default(),
            reuse: Reuse::default(),
            extensions: kept::kept(self.map, fields),
            assumptions: open,
        }
    }
}

/// What is the same for every environment of a format.
pub(crate) struct Outline {
    pub(crate) dialect: Dialect,
    pub(crate) profile: &'static str,
    pub(crate) fields: &'static Object,
    pub(crate) base: (Base, Assumption),
    pub(crate) accounts: Accounts,
    pub(crate) workdir: Sourced<String>,
    /// What no page decides, beside the base.
    pub(crate) assumptions: &'static [(&'static str, &'static str)],
}

/// The platform's own image and the public image that stands in for it: dated data.
pub(crate) struct VendorBase {
    pub(crate) name: &'static str,
    /// What the platform's is made of, behind "which is".
    pub(crate) made_of: &'static str,
    pub(crate) stand_in: &'static str,
    /// How far the stand-in is from it, behind "the stand-in".
    pub(crate) distance: &'static str,
    /// When the two were compared.
    pub(crate) dated: &'static str,
}

/// The entry at a path of keys below a mapping, if it is written and not nothing.
pub(crate) fn entry<'n>(map: &'n Map, path: &[&str]) -> Option<&'n Entry> {
    let (last, above) = path.split_last()?;
    let mut map = map;
    for key in above {
        map = map.get(key)?.value.as_map()?;
    }
    map.get(last).filter(|entry| !entry.value.is_null())
}

/// A value that a published page gives.
pub(crate) fn documented<T>(value: T, page: &str) -> Sourced<T> {
    Sourced { value, basis: Basis::DocumentedDefault { source: page.to_owned() } }
}

/// A value that we chose.
pub(crate) fn assumed<T>(value: T, why: &str) -> Sourced<T> {
    Sourced { value, basis: Basis::Assumed { why: why.to_owned() } }
}
