//! How builds, jobs and commands say that they ended.

/// Whether a line is a CI system's last word on the job: `Some(true)` where it passed.
pub(super) fn of_job(text: &str) -> Option<bool> {
    let text = text.trim();
    match text.as_bytes().first()? {
        b'F' => match text {
            "Finished: SUCCESS" => Some(true),
            "Finished: FAILURE" | "Finished: ABORTED" | "Finished: UNSTABLE" => Some(false),
            _ => None,
        },
        b'J' => (text == "Job succeeded").then_some(true),
        b'E' if text.starts_with("ERROR: Job failed") => Some(false),
        b'P' if text.starts_with("Process completed with exit code ") => Some(false),
        b'D' if text.starts_with("Done. Your build exited with ") => Some(text.ends_with(" 0.")),
        b'T' if text.starts_with("The operation was canceled") => Some(false),
        b'T' if text.starts_with("The job running on runner ") => Some(false),
        // Buildkite puts a siren in front.
        0xf0 if text.contains("Error: The command exited with status ") => Some(false),
        _ => None,
    }
}

/// Whether a line says that what was going on ended well.
pub(super) fn well(text: &str) -> bool {
    let text = text.trim();
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    match text.as_bytes().first() {
        Some(b'S') => starts(&[
            "Successfully built ",
            "Successfully tagged ",
            "Successfully installed ",
            "Status: Downloaded newer image",
            "Status: Image is up to date",
            "Storing signatures",
        ]),
        Some(b'W') => text.starts_with("Writing manifest to image destination"),
        Some(b's') => is_image_id(text),
        Some(b'a') => {
            text.starts_with("added ") && text.contains(" package") || text.starts_with("audited ")
        }
        Some(b'u') => text.starts_with("up to date"),
        Some(b'B') => starts(&["BUILD SUCCESS", "Build finished, took ", "Bundle complete!"]),
        Some(b'C') => starts(&["COMMIT "]),
        Some(b'D') => starts(&["Done in ", "Digest: sha256:"]) && !text.contains("error"),
        Some(b'F') => {
            starts(&["Finished `release`", "Finished `dev`", "Finished dev ", "Finished release "])
        }
        Some(b'I') => kaniko(text),
        Some(b'[') => starts(&["[INFO] BUILD SUCCESS"]),
        _ => {
            text.starts_with("✨  Done in ")
                || text.ends_with(" passed, 0 failed")
                || text.starts_with('✔') && text.contains(" Built")
        }
    }
}

/// What `docker build --quiet` says: the image, and nothing else.
fn is_image_id(text: &str) -> bool {
    text.strip_prefix("sha256:")
        .is_some_and(|id| id.len() == 64 && id.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Kaniko's last words: it has pushed the image, or was told not to.
pub(super) fn kaniko(text: &str) -> bool {
    text.strip_prefix("INFO[").and_then(|rest| rest.split_once("] ")).is_some_and(|(_, said)| {
        said.starts_with("Pushed ") || said.starts_with("Skipping push to container registry")
    })
}

/// The error of buildx or Compose that a line outside of every step is, whatever it says: all the
/// output of steps stands behind their numbers.
pub(super) fn error_outside(text: &str) -> Option<&str> {
    let text = text.trim();
    let of_job = of_job(text).is_some() || badly(text).is_some();
    (text.starts_with("ERROR: ") && !of_job).then_some(text)
}

/// The exit code with which a line says that a command failed.
pub(super) fn badly(text: &str) -> Option<i64> {
    let text = text.trim();
    // Cloud Build and CodeBuild name the step first, the code last.
    let last = ["ERROR: build step ", "COMMAND_EXECUTION_ERROR: "];
    if last.iter().any(|start| text.contains(start)) {
        let (_, code) = text
            .rsplit_once("non-zero status: ")
            .or_else(|| text.rsplit_once("Reason: exit status "))?;
        return code.trim_end_matches('"').parse().ok().filter(|code| *code != 0);
    }
    [
        "script returned exit code ",
        "ERROR: script returned exit code ",
        "Process completed with exit code ",
        "ERROR: Job failed: exit code ",
        "ERROR: Job failed: exit status ",
        "Error: Process completed with exit code ",
        "The command exited with status ",
        "🚨 Error: The command exited with status ",
        "Exited with code exit status ",
        "Command exited with non-zero status ",
    ]
    .iter()
    .find_map(|before| {
        let rest = text.strip_prefix(before)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest[..digits].parse().ok().filter(|code| *code != 0)
    })
}

/// The error of a builder or engine that a line is. `in_step` tells that a step's own output is
/// being read, where compilers and package managers begin their lines with the same word.
pub(super) fn error(text: &str, in_step: bool) -> Option<&str> {
    /// What only a builder says, wherever it stands.
    const SURE: [&str; 19] = [
        "failed to solve",
        "failed to build: ",
        "failed to receive status: ",
        "buildx failed with: ",
        "Service '",
        "executor failed running ",
        "process \"/",
        "The command '",
        "The command [",
        "building at STEP ",
        "build error: ",
        "error building at STEP ",
        "error building image: ",
        "error pushing image: ",
        "error checking push permissions",
        "creating build container: ",
        "potentially insufficient UIDs or GIDs available in user namespace",
        "Build failed: ",
        "Some services failed to build",
    ];
    /// What an engine says, or a step that talks to one.
    const LIKELY: [&str; 6] = [
        "Error response from daemon: ",
        "docker: ",
        "Cannot connect to the Docker daemon",
        "COPY failed: ",
        "ADD failed: ",
        "failed to export image: ",
    ];
    let text = text.trim();
    let bare = ["ERROR: ", "error: ", "Error: "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text);
    let starts = |words: &[&str]| words.iter().any(|word| bare.starts_with(word));
    (starts(&SURE) || !in_step && starts(&LIKELY)).then_some(text)
}

/// Whether a line announces that the same will be tried again.
pub(super) fn tries_again(text: &str) -> bool {
    text.contains("back off ") && text.contains("before retry")
        || text.contains("Retrying") && !text.contains("Retrying (Retry(")
        || text.contains("will retry")
        || text.contains("Attempt ") && text.contains(" failed")
}
