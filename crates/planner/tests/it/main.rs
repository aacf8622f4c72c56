//! The planner from outside: one binary, one module for each boundary.

mod builder;
mod fidelity_table;
mod golden;
mod live;
mod order;
mod recorded;
mod step_table;
mod whole;
