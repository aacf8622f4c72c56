//! Ctrl-C and SIGTERM: the first asks for a clean end, the second leaves at once.

use tokio_util::sync::CancellationToken;

use crate::exit::Status;

/// The first Ctrl-C (or SIGTERM) asks the run to end and clean up; the second ends the program.
pub(crate) async fn listen(cancel: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    loop {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        if cancel.is_cancelled() {
            crate::exit_now(Status::Cancelled);
        }
        crate::report::note(
            "stopping and cleaning up; once more to leave at once (then `drydock clean`)\n",
        );
        cancel.cancel();
    }
}
