//! The public image that stands in for Ellipsis' own.

use crate::standalone::definition::VendorBase;

pub(super) const BASE: VendorBase = VendorBase {
    name: "ellipsis-base",
    stand_in: "nikolaik/python-nodejs:python3.13-nodejs22",
    distance: "the platform's image is built on python:3.13 and adds Node.js 22 with npm, git, gh, curl, make and g++; \
               the stand-in has Python 3.13 and Node.js 22 on Debian with the compilers and git; it lacks gh and adds \
               Yarn, Poetry, Pipenv and uv",
    dated: "2026-11-30",
};
