//! Registry credentials from the configuration of Docker's client: its helpers first, then `auths`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use serde::Deserialize;
use tokio::io::AsyncWriteExt as _;

use super::EngineEnvironment;

/// How long a helper may think. One that asks the user for a password never ends on its own.
const PATIENCE: Duration = Duration::from_secs(10);

/// The key of Docker's own registry in every store.
const DOCKER_HUB: &str = "https://index.docker.io/v1/";

/// A registry's credentials. They cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    pub(crate) registry: String,
    pub(crate) secret: Secret,
}

/// The secret half.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Secret {
    Password { user: String, password: String },
    IdentityToken(String),
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials({})", self.registry)
    }
}

/// Where credentials come from.
#[derive(Debug)]
pub(crate) struct CredentialStore {
    file: Option<PathBuf>,
    path: Option<OsString>,
    home: Option<PathBuf>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Config {
    auths: BTreeMap<String, Auth>,
    #[serde(rename = "credsStore")]
    store: Option<String>,
    #[serde(rename = "credHelpers")]
    helpers: BTreeMap<String, String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Auth {
    auth: Option<String>,
    identitytoken: Option<String>,
}

#[derive(Deserialize)]
struct HelperAnswer {
    #[serde(rename = "Username")]
    user: String,
    #[serde(rename = "Secret")]
    secret: String,
}

impl CredentialStore {
    pub(crate) fn new(environment: &EngineEnvironment) -> Self {
        Self {
            file: environment.docker_folder().map(|folder| folder.join("config.json")),
            path: environment.path.clone(),
            home: environment.home.clone(),
        }
    }

    /// Credentials for the registry of a reference. `Ok(None)`: it is asked without.
    ///
    /// # Errors
    /// In words, when the configuration names a source that cannot be read.
    pub(crate) async fn find(&self, registry: &str) -> Result<Option<Credentials>, String> {
        let Some(file) = &self.file else { return Ok(None) };
        let text = match std::fs::read(file) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(format!("{} cannot be read: {e}", file.display())),
        };
        let config: Config =
            serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        let key = if registry == "docker.io" { DOCKER_HUB } else { registry };
        let found = |secret| Some(Credentials { registry: key.to_owned(), secret });
        if let Some(helper) = config.helpers.get(registry).or(config.store.as_ref())
            && let Some(secret) = self.ask_helper(helper, key).await?
        {
            return Ok(found(secret));
        }
        match config.auths.iter().find(|(name, _)| host_of(name) == host_of(key)) {
            Some((_, auth)) => Ok(stored(auth)?.and_then(found)),
            None => Ok(None),
        }
    }

    async fn ask_helper(&self, helper: &str, key: &str) -> Result<Option<Secret>, String> {
        let program = format!("docker-credential-{helper}");
        let mut command = tokio::process::Command::new(&program);
        command.arg("get").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.kill_on_drop(true);
        if let Some(path) = &self.path {
            command.env("PATH", path);
        }
        if let Some(home) = &self.home {
            command.env("HOME", home);
        }
        let run = async {
            let mut child = command.spawn()?;
            if let Some(mut input) = child.stdin.take() {
                // A helper that does not read its input still answers.
                let _ = input.write_all(key.as_bytes()).await;
            }
            child.wait_with_output().await
        };
        let output = tokio::time::timeout(PATIENCE, run)
            .await
            .map_err(|_| format!("{program} did not answer within {} s", PATIENCE.as_secs()))?
            .map_err(|e| format!("{program}, named by Docker's config.json, did not start: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            // Every helper says this on stdout when it simply has none for the registry.
            return if text.contains("credentials not found") {
                Ok(None)
            } else {
                Err(format!("{program} failed: {}", text.lines().next().unwrap_or("no words")))
            };
        }
        let answer: HelperAnswer = serde_json::from_str(&text)
            .map_err(|_| format!("{program} gave an answer that is no credential"))?;
        Ok(Some(if answer.user == "<token>" {
            Secret::IdentityToken(answer.secret)
        } else {
            Secret::Password { user: answer.user, password: answer.secret }
        }))
    }
}

fn stored(auth: &Auth) -> Result<Option<Secret>, String> {
    if let Some(token) = auth.identitytoken.as_ref().filter(|token| !token.is_empty()) {
        return Ok(Some(Secret::IdentityToken(token.clone())));
    }
    let Some(encoded) = auth.auth.as_ref().filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let broken = || "an `auth` of Docker's config.json is not base64 of user:password".to_owned();
    let bytes =
        base64::engine::general_purpose::STANDARD.decode(encoded.trim()).map_err(|_| broken())?;
    let text = String::from_utf8(bytes).map_err(|_| broken())?;
    let (user, password) = text.split_once(':').ok_or_else(broken)?;
    // Docker pads old entries with NUL.
    let password = password.trim_end_matches('\0').to_owned();
    Ok(Some(Secret::Password { user: user.to_owned(), password }))
}

/// Old entries carry a scheme and a path: `https://registry.example.org/v1/`.
fn host_of(key: &str) -> &str {
    let rest = key.split_once("://").map_or(key, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn find(config: &str, helper: Option<&str>, registry: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.json"), config).unwrap();
        if let Some(script) = helper {
            use std::os::unix::fs::PermissionsExt as _;
            let program = folder.path().join("docker-credential-test");
            std::fs::write(&program, script).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let store = CredentialStore::new(&EngineEnvironment {
            docker_config: Some(folder.path().to_owned()),
            path: Some(path.into()),
            ..EngineEnvironment::default()
        });
        match store.find(registry).await {
            Ok(None) => "none".to_owned(),
            Ok(Some(Credentials { registry, secret: Secret::IdentityToken(token) })) => {
                format!("{registry} token {token}")
            }
            Ok(Some(Credentials { registry, secret: Secret::Password { user, password } })) => {
                format!("{registry} {user}:{password}")
            }
            Err(error) => error,
        }
    }

    #[tokio::test]
    async fn auths_are_found_under_old_and_new_keys() {
        let config = r#"{"auths":{"https://index.docker.io/v1/":{"auth":"dTpw"},
            "https://reg.example.org/v2/":{"identitytoken":"t"},"bad.example.org":{"auth":"%"}}}"#;
        assert_eq!(find(config, None, "docker.io").await, "https://index.docker.io/v1/ u:p");
        assert_eq!(find(config, None, "reg.example.org").await, "reg.example.org token t");
        assert_eq!(find(config, None, "other.example.org").await, "none");
        assert!(find(config, None, "bad.example.org").await.contains("not base64"));
        assert!(find("{", None, "docker.io").await.contains("config.json"));
    }

    #[tokio::test]
    async fn a_helper_is_asked_and_its_silence_is_not_a_failure() {
        let config = r#"{"credHelpers":{"reg.example.org":"test"}}"#;
        let says =
            "#!/bin/sh\nread k\necho \"{\\\"Username\\\":\\\"u\\\",\\\"Secret\\\":\\\"$k\\\"}\"";
        // `read` fails at the end of input without a newline, and still fills the variable.
        let found = find(config, Some(says), "reg.example.org").await;
        assert_eq!(found, "reg.example.org u:reg.example.org");
        let none = "#!/bin/sh\necho 'credentials not found in native keychain'; exit 1";
        assert_eq!(find(config, Some(none), "reg.example.org").await, "none");
        let broken = "#!/bin/sh\necho 'no keyring'; exit 1";
        let found = find(config, Some(broken), "reg.example.org").await;
        assert_eq!(found, "docker-credential-test failed: no keyring");
        assert!(find(config, None, "reg.example.org").await.contains("did not start"));
    }
}
