//! The house's own chores.
fn main() {}
