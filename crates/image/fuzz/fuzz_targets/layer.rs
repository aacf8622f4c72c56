//! Two layers of any bytes, read, laid upon each other and judged.
//!
//! Run it with `-detect_leaks=0`: a thread that reads ahead may still be giving back what is its own when the run ends,
//! and the leak checker takes that for a leak.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|layers: (&[u8], &[u8])| image::fuzzing::layers(layers.0, layers.1));
