//! Two layers of any bytes, read, laid upon each other and judged.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|layers: (&[u8], &[u8])| image::fuzzing::layers(layers.0, layers.1));
