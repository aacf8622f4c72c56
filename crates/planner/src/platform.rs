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

/// Makes the session's account and the folders that it owns.
///
/// In JSON form, which a `SHELL` of an authored step cannot change. Beyond the published text it
/// makes `home` itself, because an account that the base brings may live elsewhere; the number of
/// the account is left to `useradd`, because many bases have given 1000 away.
pub(crate) fn user_creation(user: &str, home: &str, trees: &[&str], folders: &[&str]) -> String {
    let (user, home) = (shell_word(user), shell_word(home));
    let mut script = format!(
        "set -eu\n\
         if ! getent group {user} >/dev/null 2>&1; then groupadd {user}; fi\n\
         if ! id -u {user} >/dev/null 2>&1; then useradd -m -d {home} -s /bin/bash -g {user} {user}; fi\n"
    );
    let quoted = |paths: &[&str]| {
        paths.iter().map(|path| format!(" {}", shell_word(path))).collect::<String>()
    };
    let (trees, folders) = (quoted(trees), quoted(folders));
    script.push_str(&format!("mkdir -p --{trees}{folders} {home}\n"));
    if !folders.is_empty() {
        script.push_str(&format!("chown {user}:{user} --{folders}\n"));
    }
    script.push_str(&format!("chown -R {user}:{user} --{trees} {home}"));
    format!("RUN {}", json_form(&["/bin/sh", "-c", &script]))
}
