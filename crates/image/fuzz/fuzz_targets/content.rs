//! Any bytes as a file: program, library, cache, script, text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| image::fuzzing::content(bytes));
