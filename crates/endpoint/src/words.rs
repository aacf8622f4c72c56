//! Why an engine cannot be reached, in one line with the way out.

use std::error::Error;
use std::io;

use hyper_util::client::legacy;
use tokio_rustls::rustls;

use crate::tls;

/// Why a call failed: the first cause that is known, else all of them.
#[must_use]
pub fn in_words(error: &legacy::Error) -> String {
    causes(error).find_map(known).unwrap_or_else(|| all_causes(error))
}

/// An error with its causes. Some repeat their causes in their own text.
#[must_use]
pub fn all_causes(error: &(dyn Error + 'static)) -> String {
    let mut words = error.to_string();
    for cause in causes(error) {
        let text = cause.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
    }
    words
}

/// Whether the connection failed a call, and not what was to be sent in it.
#[must_use]
pub fn is_lost(error: &legacy::Error) -> bool {
    !causes(error).filter_map(|cause| cause.downcast_ref()).any(hyper::Error::is_user)
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

fn known(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<rustls::Error>() {
        return Some(tls::in_words(error));
    }
    if let Some(error) = error.downcast_ref::<hyper::Error>() {
        let words = if error.is_parse() {
            "what listens there does not speak HTTP"
        } else if error.is_incomplete_message() {
            "it hung up without an answer"
        } else {
            return None;
        };
        return Some(words.to_owned());
    }
    let error = error.downcast_ref::<io::Error>()?;
    if let Some(error) = tls::within(error) {
        return Some(tls::in_words(error));
    }
    let words = match error.kind() {
        io::ErrorKind::NotFound => "there is no such socket",
        io::ErrorKind::PermissionDenied => "permission denied; is this user in the socket's group?",
        io::ErrorKind::ConnectionRefused => "nothing listens there",
        // What ssh says is said in whole sentences.
        io::ErrorKind::Other => return Some(error.to_string()),
        _ => return None,
    };
    Some(words.to_owned())
}
