//! The public image that stands in for Ellipsis' own.

use crate::standalone::definition::VendorBase;

pub(super) const BASE: VendorBase = VendorBase {
    name: "ellipsis-base",
    made_of: "python:3.13 with Node.js 22, npm, git, gh, curl, make and g++",
    stand_in: "nikolaik/python-nodejs:python3.13-nodejs22",
    distance: "has Python 3.13 and Node.js 22 on Debian with git and the compilers; it lacks gh, and adds Yarn, \
               Poetry, Pipenv and uv",
    dated: "2026-11-30",
};
