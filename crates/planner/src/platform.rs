//! The platform's own lines: the compatibility bootstrap and the workspace user, after the published recipe.

use crate::quote::{json_form, shell_word};

/// The build argument that holds the base, so that another base can be tried on the same Dockerfile.
pub(crate) const BASE_ARGUMENT: &str = "AUTO_ENVIRONMENT_BASE";

/// Installs what the platform brings; byte for byte as published.
pub(crate) const BOOTSTRAP_PACKAGES: &str = "RUN apt-get update \\\n  \
     && apt-get install -y --no-install-recommends git passwd \\\n  \
     && rm -rf /var/lib/apt/lists/*";

/// Proves that shell and git are there; byte for byte as published.
pub(crate) const BOOTSTRAP_PROOF: &str = "RUN test -x /bin/sh && command -v git >/dev/null";

/// Makes the session's account, and the folders that it works in where they are not part of a checkout.
///
/// In JSON form, which a `SHELL` of an authored step cannot change. Beyond the published text it
/// makes `home` itself, because an account that the base brings may live elsewhere; the number of
/// the account is left to `useradd`, because many bases have given 1000 away.
pub(crate) fn user_creation(user: &str, home: &str, folders: &[&str]) -> String {
    let (user, home) = (shell_word(user), shell_word(home));
    let mut script = format!(
        "set -eu\n\
         if ! getent group {user} >/dev/null 2>&1; then groupadd {user}; fi\n\
         if ! id -u {user} >/dev/null 2>&1; then useradd -m -d {home} -s /bin/bash -g {user} {user}; fi\n\
         mkdir -p -- {home}\n\
         chown -R {user}:{user} -- {home}"
    );
    for folder in folders.iter().map(|folder| shell_word(folder)) {
        script.push_str(&format!("\nmkdir -p -- {folder}\nchown {user}:{user} -- {folder}"));
    }
    format!("RUN {}", json_form(&["/bin/sh", "-c", &script]))
}

/// Makes the folder of the checkout. The published page does it together with the account; apart, a
/// failure says which of the two failed. Home is handed over again, because the folder may lie in it.
pub(crate) fn mount_folder(user: &str, home: &str, path: &str) -> String {
    let (user, home, path) = (shell_word(user), shell_word(home), shell_word(path));
    let script = format!("set -eu\nmkdir -p -- {path}\nchown -R {user}:{user} -- {path} {home}");
    format!("RUN {}", json_form(&["/bin/sh", "-c", &script]))
}
