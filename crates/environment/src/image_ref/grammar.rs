//! The grammar of image references, rule by rule.

use std::ops::Range;

use super::{ImageRef, ImageRefError, ImageRefFault};

/// The longest path of a repository, in bytes (`distribution/reference`).
const MAX_PATH: usize = 255;
/// The longest tag, in bytes (`distribution/reference`).
const MAX_TAG: usize = 128;

/// Reads a whole text as one reference.
pub(super) fn parse(text: &str) -> Result<ImageRef, ImageRefError> {
    if text.is_empty() {
        return Err(fault(ImageRefFault::Empty, 0..0));
    }
    if text.len() == 64 && text.bytes().all(is_lower_hex) {
        return Err(fault(ImageRefFault::BareId, 0..text.len()));
    }
    let (named, digest) = match text.find('@') {
        Some(at) => (0..at, Some(at + 1..text.len())),
        None => (0..text.len(), None),
    };
    let domain = domain_range(&text[named.clone()]);
    let rest = domain.as_ref().map_or(0, |range| range.end + 1)..named.end;
    // Whatever follows the first `:` of the path is the tag: a path holds none.
    let (path, tag) = match text[rest.clone()].find(':') {
        Some(at) => (rest.start..rest.start + at, Some(rest.start + at + 1..rest.end)),
        None => (rest, None),
    };
    if let Some(range) = &domain {
        check_domain(text, range.clone())?;
    }
    check_path(text, path.clone())?;
    if let Some(range) = &tag {
        check_tag(text, range.clone())?;
    }
    if let Some(range) = &digest {
        check_digest(text, range.clone())?;
    }
    Ok(ImageRef { text: text.to_owned(), domain, path, tag, digest })
}

fn fault(kind: ImageRefFault, span: Range<usize>) -> ImageRefError {
    ImageRefError { kind, span }
}

/// The part before the first `/`, if Docker takes it for a registry.
fn domain_range(named: &str) -> Option<Range<usize>> {
    let end = named.find('/')?;
    let first = &named[..end];
    let is_domain = first.contains(['.', ':'])
        || first == "localhost"
        || first.bytes().any(|byte| byte.is_ascii_uppercase());
    is_domain.then_some(0..end)
}

fn check_domain(text: &str, range: Range<usize>) -> Result<(), ImageRefError> {
    let domain = &text[range.clone()];
    let host_end = if domain.starts_with('[') {
        domain.find(']').map_or(domain.len(), |at| at + 1)
    } else {
        domain.find(':').unwrap_or(domain.len())
    };
    let host = &domain[..host_end];
    let good = match host.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']').is_some_and(is_ipv6_text),
        None => host.split('.').all(is_label),
    };
    if !good {
        return Err(fault(ImageRefFault::Domain, range.start..range.start + host_end));
    }
    let after = &domain[host_end..];
    if after.is_empty() {
        return Ok(());
    }
    let port = after.strip_prefix(':').unwrap_or("");
    // The grammar takes any number of digits; no host has a port above 65535.
    if port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok() {
        return Ok(());
    }
    Err(fault(ImageRefFault::Port, range.start + host_end..range.end))
}

fn is_ipv6_text(inner: &str) -> bool {
    !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':')
}

fn is_label(label: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    !label.is_empty()
        && label.bytes().all(inner)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn check_path(text: &str, range: Range<usize>) -> Result<(), ImageRefError> {
    let mut start = range.start;
    for component in text[range.clone()].split('/') {
        let span = start..start + component.len();
        start = span.end + 1;
        if component.is_empty() {
            return Err(fault(ImageRefFault::EmptyComponent, span));
        }
        if is_component(component) {
            continue;
        }
        let kind = if is_component(&component.to_ascii_lowercase()) {
            ImageRefFault::Uppercase
        } else {
            ImageRefFault::Component
        };
        return Err(fault(kind, span));
    }
    if range.len() > MAX_PATH {
        return Err(fault(ImageRefFault::TooLong, range));
    }
    Ok(())
}

/// `[a-z0-9]+` joined by `.`, `_`, `__` or any run of `-`.
fn is_component(component: &str) -> bool {
    let alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut rest = component.as_bytes();
    loop {
        let word = rest.iter().take_while(|byte| alphanumeric(byte)).count();
        if word == 0 {
            return false;
        }
        rest = &rest[word..];
        let separator = match rest {
            [] => return true,
            [b'_', b'_', ..] => 2,
            [b'_' | b'.', ..] => 1,
            [b'-', ..] => rest.iter().take_while(|byte| **byte == b'-').count(),
            _ => return false,
        };
        rest = &rest[separator..];
    }
}

fn check_tag(text: &str, range: Range<usize>) -> Result<(), ImageRefError> {
    let tag = text[range.clone()].as_bytes();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let inner = |byte: &u8| word(byte) || matches!(byte, b'.' | b'-');
    let good = tag.len() <= MAX_TAG && tag.first().is_some_and(word) && tag.iter().all(inner);
    if good { Ok(()) } else { Err(fault(ImageRefFault::Tag, range)) }
}

fn check_digest(text: &str, range: Range<usize>) -> Result<(), ImageRefError> {
    let digest = &text[range.clone()];
    let (algorithm, value) = digest.split_once(':').unwrap_or((digest, ""));
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => {
            let span = range.start..range.start + algorithm.len();
            return Err(fault(ImageRefFault::DigestAlgorithm, span));
        }
    };
    if value.len() == length && value.bytes().all(is_lower_hex) {
        return Ok(());
    }
    Err(fault(ImageRefFault::DigestValue, range.end - value.len()..range.end))
}

fn is_lower_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'a'..=b'f')
}
