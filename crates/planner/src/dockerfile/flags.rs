//! The flags between an instruction's verb and its arguments.

/// Splits the flags off. Builders read bytes here, so a byte that is a space in Latin-1 ends a flag.
pub(super) fn split(rest: &str) -> (Vec<String>, String) {
    let bytes = rest.as_bytes();
    let mut flags = Vec::new();
    let mut at = 0;
    loop {
        while at < bytes.len() && is_space(bytes[at]) {
            at += 1;
        }
        if !bytes[at..].starts_with(b"--") {
            return (flags, String::from_utf8_lossy(&bytes[at..]).into_owned());
        }
        let (word, quoted, end) = word(bytes, at);
        at = end;
        if word == b"--" {
            return (flags, String::from_utf8_lossy(&bytes[at..]).into_owned());
        }
        if quoted || !word.is_empty() {
            flags.push(String::from_utf8_lossy(&word).into_owned());
        }
    }
}

/// One word from `at`: its bytes without quotes and escapes, whether it had quotes, and its end.
fn word(bytes: &[u8], mut at: usize) -> (Vec<u8>, bool, usize) {
    let mut word = Vec::new();
    let mut quote = None;
    let mut quoted = false;
    while at < bytes.len() {
        let byte = bytes[at];
        match (byte, quote) {
            (byte, None) if is_space(byte) => break,
            (b'\'' | b'"', None) => {
                quote = Some(byte);
                quoted = true;
            }
            (byte, Some(open)) if byte == open => quote = None,
            (b'\\', _) => {
                at += 1;
                word.extend(bytes.get(at));
            }
            (byte, _) => word.push(byte),
        }
        at += 1;
    }
    (word, quoted, at.min(bytes.len()))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ' | 0x85 | 0xa0)
}
