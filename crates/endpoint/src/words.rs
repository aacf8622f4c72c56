//! Why an engine cannot be reached, in one line with the way out.

use std::error::Error;
use std::io;

use tokio_rustls::rustls;

use crate::tls;

/// The first cause that is known, else all of them.
pub(crate) fn of(error: &(dyn Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(known) = known(error) {
            return known;
        }
        let text = error.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        cause = error.source();
    }
    words
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
