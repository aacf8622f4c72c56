//! The public image that stands in for Qoder's own.

use crate::standalone::definition::VendorBase;

pub(super) const BASE: VendorBase = VendorBase {
    name: "qoder-ubuntu22",
    made_of: "Ubuntu 22.04 with Python 3.12, Node.js 20, Go 1.22, git, curl, jq and make",
    stand_in: "nikolaik/python-nodejs:python3.12-nodejs20",
    distance: "has Python 3.12 and Node.js 20, but on Debian, whose package names and versions differ here and \
               there; it lacks Go, jq and vim, and adds Yarn, Poetry, Pipenv and uv",
    dated: "2026-11-30",
};
