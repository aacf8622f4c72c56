//! bollard's errors to the typed errors that triage reads.

use bollard::errors::Error;
use triage::EngineError;

/// What an error means for a run.
pub(crate) fn typed(error: &Error) -> EngineError {
    match error {
        Error::DockerResponseServerError { status_code, message } => {
            EngineError::Status { status: *status_code, message: message.clone() }
        }
        Error::DockerStreamError { error } => EngineError::Stream { message: error.clone() },
        Error::RequestTimeoutError => {
            EngineError::EngineGone { message: "the engine did not begin to answer".to_owned() }
        }
        Error::IOError { .. }
        | Error::HttpClientError { .. }
        | Error::HyperResponseError { .. } => EngineError::EngineGone { message: in_words(error) },
        _ => EngineError::Stream { message: in_words(error) },
    }
}

/// An error with its causes in one line. bollard repeats some causes in its own text.
pub(crate) fn in_words(error: &Error) -> String {
    let mut words = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let text = cause.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        source = cause.source();
    }
    words
}

/// Whether the engine said that there is no such thing.
pub(crate) const fn is_missing(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { status_code: 404, .. })
}
