//! Where on the way something happened: by the step's text, by the code, by the command.

use crate::{Code, Phase};

/// The phase of a step, by its instruction or BuildKit's name for it.
pub(super) fn of_step(title: &str) -> Phase {
    let text = super::step::instruction(title);
    let internal = title.starts_with("[internal]")
        || title.contains(" internal] ")
        || title.starts_with("local://");
    if internal || title.starts_with("resolve image config") || title.starts_with("importing cache")
    {
        return if text.starts_with("load metadata") { Phase::Pull } else { Phase::PreBuild };
    }
    if title.starts_with("[auth]") || text.starts_with("FROM ") || text.starts_with("from ") {
        return Phase::Pull;
    }
    if ["exporting", "pushing", "writing image", "naming to", "importing to", "sending tarball"]
        .iter()
        .any(|word| title.starts_with(word))
    {
        return Phase::Export;
    }
    // What ADD fetches is a vertex of its own, with the address as its name.
    if title.starts_with("https://") || title.starts_with("http://") {
        return Phase::MountCopy;
    }
    if title.starts_with("[base]") {
        return Phase::Pull;
    }
    let word = text.split_whitespace().next().unwrap_or("").to_ascii_uppercase();
    match word.as_str() {
        "COPY" | "ADD" => Phase::MountCopy,
        "RUN" => of_run(text),
        "USER" if text.trim_end().ends_with(" root") => Phase::Probe,
        _ => Phase::AuthoredStep,
    }
}

/// The platform's own `RUN` lines are told by their text.
fn of_run(text: &str) -> Phase {
    let login_shell = text.contains("/bin/sh -lc")
        || text.contains("\"/bin/sh\", \"-lc\"")
        || text.contains("\"/bin/sh\",\"-lc\"");
    if text.contains("auto_contract_fail()") || text.contains("auto_contract_fail ()") {
        Phase::Probe
    } else if login_shell && text.contains("set -eu") {
        Phase::Setup
    } else if text.contains("install -y --no-install-recommends git passwd")
        || text.contains("test -x /bin/sh && command -v git")
    {
        Phase::Bootstrap
    } else if text.contains("getent group ")
        && text.contains("useradd ")
        && text.contains("set -eu")
    {
        Phase::UserCreation
    } else if text.contains("set -eu")
        && text.contains("mkdir -p -- ")
        && text.contains("chown -R ")
    {
        Phase::MountCopy
    } else {
        Phase::AuthoredStep
    }
}

/// The phase that a code belongs to wherever it is met; `found` is where it was.
///
/// `by_step` tells that the place is a step's, not that of the whole build.
pub(super) const fn of_code(code: Code, found: Phase, by_step: bool) -> Phase {
    match code {
        Code::InvalidReference => Phase::ImageRef,
        Code::DockerfileParse
        | Code::DockerfileMissing
        | Code::BuilderFeature
        | Code::BuildContext
        | Code::FrontendImage => Phase::PreBuild,
        Code::CopyMissing => Phase::MountCopy,
        Code::UserExists | Code::UserToolingMissing => Phase::UserCreation,
        Code::PushDenied | Code::CacheExport => Phase::Export,
        Code::NoMatchingManifest
        | Code::ManifestUnknown
        | Code::RegistryRateLimit
        | Code::RegistryAuth
        | Code::RegistryNetwork
        | Code::RegistryDns
        | Code::RegistryPlainHttp
        | Code::LayerCorrupt
        | Code::ImageFormat
        | Code::X509 => match found {
            // The frontend's image and the builder's own are fetched before anything.
            Phase::PreBuild if by_step => found,
            Phase::Export => found,
            _ => Phase::Pull,
        },
        Code::PullAccessDenied => match found {
            Phase::PreBuild if by_step => found,
            Phase::Smoke => found,
            _ => Phase::Pull,
        },
        _ => found,
    }
}

/// The phase of what a command line does, where it is one of a container tool.
pub(super) fn of_command(command: &str) -> Option<Phase> {
    let mut words = command.split_whitespace().skip_while(|word| {
        let tool = word.rsplit('/').next().unwrap_or(word);
        !["docker", "podman", "buildah", "nerdctl", "docker-compose", "buildx"].contains(&tool)
    });
    words.next()?;
    words.find_map(|word| match word {
        "run" | "exec" | "start" | "up" => Some(Phase::Smoke),
        "pull" | "load" => Some(Phase::Pull),
        "build" | "buildx" | "bake" | "bud" | "build-using-dockerfile" => Some(Phase::PreBuild),
        "push" => Some(Phase::Export),
        _ => None,
    })
}

/// Whether a command of a container tool makes nothing: it cleans up, or looks.
pub(super) fn is_aside(command: &str) -> bool {
    const WORK: [&str; 13] = [
        "run", "exec", "start", "up", "pull", "load", "build", "bake", "bud", "push", "tag",
        "login", "cp",
    ];
    const ASIDE: [&str; 17] = [
        "rm", "rmi", "logout", "stop", "kill", "prune", "down", "inspect", "ps", "ls", "images",
        "version", "info", "logs", "history", "du", "top",
    ];
    command
        .split(|c: char| c.is_whitespace() || c == ';')
        .find_map(|word| {
            let aside = ASIDE.contains(&word);
            (aside || WORK.contains(&word)).then_some(aside)
        })
        .unwrap_or(false)
}
