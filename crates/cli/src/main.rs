//! The `drydock` binary: flags, reports, exit status.
fn main() {}
