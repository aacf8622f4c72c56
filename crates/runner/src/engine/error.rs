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
        // What broke in what we sent is no fault of the engine's.
        Error::HyperLegacyError { err } if endpoint::is_lost(err) => {
            EngineError::EngineGone { message: endpoint::in_words(err) }
        }
        Error::IOError { .. }
        | Error::HttpClientError { .. }
        | Error::HyperResponseError { .. } => EngineError::EngineGone { message: in_words(error) },
        _ => EngineError::Stream { message: in_words(error) },
    }
}

/// An error in one line.
pub(crate) fn in_words(error: &Error) -> String {
    match error {
        Error::HyperLegacyError { err } => endpoint::in_words(err),
        other => endpoint::all_causes(other),
    }
}

/// Whether the engine said that there is no such thing.
pub(crate) const fn is_missing(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { status_code: 404, .. })
}

/// Whether the engine said that it is removing the thing already, as somebody else asked it to.
pub(crate) fn is_going(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { status_code: 409, message } if message.contains("already in progress"))
}
