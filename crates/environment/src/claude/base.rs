//! The public image that stands in for the platform's own.

use crate::standalone::definition::VendorBase;

pub(super) const BASE: VendorBase = VendorBase {
    name: "claude-ubuntu22",
    made_of: "Ubuntu 22.04 with Python 3.12, Node.js 20, Go 1.22, Rust 1.77, Java 21, Ruby 3.3, PHP 8.3, GCC 13 \
               and many tools",
    stand_in: "nikolaik/python-nodejs:python3.12-nodejs20",
    distance: "has Python 3.12 and Node.js 20, but on Debian, whose package names and versions differ here and \
               there; Debian's older cargo, ruby and golang are added where packages ask for them; it lacks Java, \
               PHP and most of the tools",
    dated: "2026-11-30",
};
