//! Any bytes, cut anywhere, give an answer, and the same one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use triage::LogReader;

fuzz_target!(|bytes: &[u8]| {
    let mut whole = LogReader::new();
    whole.feed(bytes);
    let whole = whole.finish();

    let mut pieces = LogReader::new();
    for piece in bytes.chunks(7) {
        pieces.feed(piece);
    }
    assert_eq!(pieces.finish(), whole);
});
