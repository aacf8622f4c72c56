//! Ctrl-C: what was started is stopped before the chore ends.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Stops what was started when somebody asks this chore to end (Ctrl-C, SIGTERM, SIGHUP).
///
/// The commands that the chore waits for are in the terminal's process group and get the signal as well; the
/// engine and the registry are not, so they are still there to be stopped in order.
pub(crate) fn clean_up_with(clean_up: impl Fn() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(move || {
        if CANCELLED.swap(true, Ordering::SeqCst) {
            return;
        }
        clean_up();
        exit();
    })
    .context("cannot listen for Ctrl-C")
}

/// Whether the handler is at work; whoever would clean up as well leaves it to that.
pub(crate) fn cancelled() -> bool {
    CANCELLED.load(Ordering::SeqCst)
}

/// Waits for the handler to end the process, when it is at work: the command that a chore waits for ends by the same
/// signal, and the chore must not end before everything is stopped.
pub(crate) fn leave_it_to_the_handler() {
    while cancelled() {
        std::thread::park();
    }
}

#[expect(clippy::exit, reason = "the main thread may be waiting for a command that goes on")]
fn exit() {
    std::process::exit(130);
}
