//! What a registry's refusal means.

use std::time::SystemTime;

use hyper::StatusCode;
use hyper::header::HeaderMap;
use serde::Deserialize;

use super::text;
use crate::failure::{ReadCode, ReadFailure};

/// A longer message of a registry is cut.
const MAX_WORDS: usize = 200;

#[derive(Deserialize)]
struct Errors {
    errors: Vec<Error>,
}

#[derive(Deserialize)]
struct Error {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

/// A refusal by status, with the registry's own words.
pub(super) fn refusal(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    what: &str,
) -> ReadFailure {
    let code = match status.as_u16() {
        401 => ReadCode::RegistryAuth,
        403 => ReadCode::PullAccessDenied,
        404 | 410 => ReadCode::ManifestUnknown,
        429 => ReadCode::RegistryRateLimit,
        500.. => ReadCode::RegistryError,
        _ => ReadCode::RegistryAnswer,
    };
    let words = words(body).map(|words| format!(": {words}")).unwrap_or_default();
    let message = format!("{what}: the registry answers {}{words}", status.as_u16());
    ReadFailure { code, message, retry_after_s: retry_after(headers) }
}

/// `Retry-After`, in seconds from now; it comes as a number or as a date.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let value = text(headers, "retry-after")?;
    let value = value.trim();
    value.parse().ok().or_else(|| {
        let then = httpdate::parse_http_date(value).ok()?;
        Some(then.duration_since(SystemTime::now()).map_or(0, |wait| wait.as_secs()))
    })
}

fn words(body: &[u8]) -> Option<String> {
    let Errors { errors } = serde_json::from_slice(body).ok()?;
    let Error { code, message } = errors.into_iter().next()?;
    let words = if message.is_empty() { code } else { message };
    let words: String = words.chars().filter(|c| !c.is_control()).take(MAX_WORDS).collect();
    (!words.is_empty()).then_some(words)
}
