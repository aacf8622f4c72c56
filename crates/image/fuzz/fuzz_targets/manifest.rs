//! Any bytes as index, manifest and config.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| image::fuzzing::manifest(bytes));
