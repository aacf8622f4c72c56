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
        b'C' => (text == "CircleCI received exit code 0").then_some(true),
        b'=' if text.contains(" Earthly Build ") => {
            Some(text.contains("SUCCESS")).filter(|well| *well || text.contains("FAILURE"))
        }
        b'E' if text.starts_with("ERROR: Job failed") => Some(false),
        b'P' if text.starts_with("Process completed with exit code ") => Some(false),
        b'D' if text.starts_with("Done. Your build exited with ") => Some(text.ends_with(" 0.")),
        b'H' => (text == "Healthcheck failed!").then_some(false),
        b'T' if text.starts_with("The operation was canceled") => Some(false),
        b'T' if text.starts_with("The job running on runner ") => Some(false),
        // Buildkite puts a siren in front, act and Forgejo's runner a flag.
        0xf0 if text.contains("Error: The command exited with status ") => Some(false),
        0xf0 if text.starts_with('🏁') => match text.trim_start_matches('🏁').trim() {
            "Job succeeded" => Some(true),
            "Job failed" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the job cleans up behind itself after this line, where it did (`before`) or did not
/// before it. What is said then is not about its work.
pub(super) fn cleans(text: &str, before: bool) -> bool {
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    match text.as_bytes().first() {
        Some(b'P' | b'R' | b'S') if !before => starts(&[
            "Post job cleanup.",
            "Print service container logs: ",
            "Running after_script",
            "Running after script",
            "Stop and remove container: ",
        ]),
        // Another job, or a step of it.
        Some(b'C' | b'R') if before => !begins_job(text) && !text.starts_with("Run "),
        _ => before,
    }
}

/// Whether a build service goes on with its next step: what it did before need not have passed.
pub(super) fn goes_on(text: &str) -> bool {
    text.starts_with("Starting Step #") || text == "PUSH"
}

/// Whether a line is the first one of a job.
pub(super) fn begins_job(text: &str) -> bool {
    text.starts_with("Current runner version: ") || text.starts_with("Running with gitlab-runner ")
}

/// Whether a line says that what was going on ended well.
pub(super) fn well(text: &str) -> bool {
    let text = text.trim();
    made_image(text) || is_up(text) || tool(text) || all_is_well(text)
}

/// The last words of a container tool that built, fetched or pushed an image.
pub(super) fn made_image(text: &str) -> bool {
    let text = text.trim();
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    match text.as_bytes().first() {
        Some(b'S') => starts(&[
            "Successfully built ",
            "Successfully tagged ",
            "Status: Downloaded newer image",
            "Status: Image is up to date",
            "Storing signatures",
        ]),
        Some(b'W') => text.starts_with("Writing manifest to image destination"),
        Some(b's' | b'0'..=b'9' | b'a'..=b'f') if is_image_id(text) => true,
        Some(b'B') => text.starts_with("Build finished, took "),
        Some(b'C') => text.starts_with("COMMIT "),
        Some(b'D') => text.starts_with("Digest: sha256:"),
        Some(b'I') => kaniko(text),
        Some(b'L') => starts(&["Loaded image: ", "Loaded image ID: "]),
        Some(b'P') => text == "Push successful",
        _ => {
            let said = text.trim_start_matches(['✔', '✅']).trim_start();
            text.starts_with('✔') && text.contains(" Built")
                || said.starts_with("Successfully pushed ")
                || is_pushed(text)
                || is_name_by_digest(text)
        }
    }
}

/// `registry.example.org/app@sha256:…`, alone: what tools print that published an image.
fn is_name_by_digest(text: &str) -> bool {
    text.split_once("@sha256:").is_some_and(|(name, id)| {
        !name.is_empty()
            && !name.contains(' ')
            && id.len() == 64
            && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Containers that were started, and services that are live.
fn is_up(text: &str) -> bool {
    let text = text.trim_start_matches('✔').trim_start();
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    match text.as_bytes().first() {
        Some(b'C') if text.starts_with("Container ") => text
            .split_whitespace()
            .nth(2)
            .is_some_and(|state| matches!(state, "Started" | "Healthy" | "Running")),
        Some(b'C') => text.starts_with("Creating ") && text.ends_with(" ... done"),
        Some(b'[') => text.ends_with("] Healthcheck succeeded!"),
        Some(b'=') => {
            starts(&["==> Your service is live", "==> Builds finished. The artifacts of"])
        }
        Some(b'I') => starts(&["INFO:    Build complete: "]),
        // Ansible's table of hosts.
        _ => text.contains(" unreachable=0 ") && text.contains(" failed=0 "),
    }
}

/// `latest: digest: sha256:… size: 1112`, the last line of a push.
pub(super) fn is_pushed(text: &str) -> bool {
    text.split_once(": digest: sha256:").is_some_and(|(tag, rest)| {
        !tag.contains(' ') && rest.split_once(" size: ").is_some_and(|(id, _)| id.len() == 64)
    })
}

/// The last words of package managers and compilers that did their work.
fn tool(text: &str) -> bool {
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    match text.as_bytes().first() {
        Some(b'S') => text.starts_with("Successfully installed "),
        Some(b'a') => {
            text.starts_with("added ") && text.contains(" package") || text.starts_with("audited ")
        }
        Some(b'u') => text.starts_with("up to date"),
        Some(b'B') => starts(&["BUILD SUCCESS", "Bundle complete!"]),
        Some(b'D') => text.starts_with("Done in ") && !text.contains("error"),
        Some(b'F') => {
            starts(&["Finished `release`", "Finished `dev`", "Finished dev ", "Finished release "])
        }
        Some(b'[') => starts(&["[INFO] BUILD SUCCESS"]),
        _ => text.starts_with("✨  Done in ") || text.ends_with(" passed, 0 failed"),
    }
}

/// A script's or a test runner's word that all went well: `all checks passed`, `8 checks, 0 failed`,
/// `exit status: 0`, `ci_sut_1 exited with code 0`.
fn all_is_well(text: &str) -> bool {
    const LONGEST: usize = 120;
    if text.len() > LONGEST {
        return false;
    }
    let all = text.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("all "));
    let text = text.trim_end_matches(['.', '!']);
    all && [" passed", " ok", " OK", " succeeded"].iter().any(|end| text.ends_with(end))
        || [", 0 failed", ", 0 failures"].iter().any(|none| text.ends_with(none))
        || [" exited with code 0", " exited with 0", "exit status: 0", "exit code: 0"]
            .iter()
            .any(|end| text.ends_with(end))
            && !text.contains('"')
}

/// What `docker build --quiet` says: the image, and nothing else.
fn is_image_id(text: &str) -> bool {
    // Detached containers are named by their number alone.
    Some(text.strip_prefix("sha256:").unwrap_or(text))
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
    // Ansible counts hosts; its own code for tasks that failed is 2.
    if text.contains(" unreachable=") && text.contains(" failed=") && !text.contains(" failed=0 ") {
        return Some(2);
    }
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
        "devcontainer process exited with exit code ",
        "==> Exited with status ",
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
    const SURE: [&str; 21] = [
        "failed to solve",
        "failed to build: ",
        "failed to receive status: ",
        "buildx failed with: ",
        "buildx call failed with: ",
        "buildx bake failed with: ",
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
    const LIKELY: [&str; 7] = [
        "Error response from daemon: ",
        "docker: ",
        "Cannot connect to the Docker daemon",
        "error during connect: ",
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

/// A line of a test runner that speaks the Test Anything Protocol.
pub(super) enum Tap {
    /// `1..5`: so many tests come.
    Plan(u64),
    /// `ok 3 pulls`.
    Passed(u64),
    /// `not ok 3 pulls`, unless it is known to.
    Failed,
}

/// Reads a line of the Test Anything Protocol.
pub(super) fn tap(text: &str) -> Option<Tap> {
    let number = |rest: &str| rest.split(' ').next()?.parse().ok();
    if let Some(rest) = text.strip_prefix("ok ") {
        return number(rest).map(Tap::Passed);
    }
    if let Some(rest) = text.strip_prefix("not ok ") {
        let number = number(rest)?;
        return Some(if rest.contains("# TODO") { Tap::Passed(number) } else { Tap::Failed });
    }
    text.strip_prefix("1..").and_then(number).map(Tap::Plan)
}
