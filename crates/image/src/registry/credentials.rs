//! Docker's credentials: `config.json` and the programs that keep secrets for it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// A program that keeps secrets may ask its user; not for longer than this.
const HELPER_TIME: Duration = Duration::from_secs(15);
/// The name under which Docker keeps what it knows of its own registry.
const DOCKER_HUB: &str = "https://index.docker.io/v1/";
/// The user name that says: the secret is a token and no password.
const TOKEN_USER: &str = "<token>";

/// Something that must not be shown.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    pub(super) const fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, to be sent and nothing else.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({} bytes)", self.0.len())
    }
}

/// What a registry may be told.
#[derive(Clone, Debug)]
pub(super) enum Credentials {
    /// A user and a password.
    Password { user: String, password: Secret },
    /// A token that fetches tokens.
    Identity(Secret),
}

impl Credentials {
    /// `Authorization: Basic`; an identity token has none.
    pub(super) fn basic(&self) -> Option<Secret> {
        match self {
            Self::Password { user, password } => {
                let pair = format!("{user}:{}", password.reveal());
                Some(Secret::new(format!("Basic {}", STANDARD.encode(pair))))
            }
            Self::Identity(_) => None,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Config {
    auths: BTreeMap<String, Auth>,
    creds_store: Option<String>,
    cred_helpers: BTreeMap<String, String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Auth {
    auth: Option<String>,
    username: Option<String>,
    password: Option<String>,
    identitytoken: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Kept {
    username: String,
    secret: String,
}

/// What Docker knows of a registry; nothing when it knows nothing, or cannot say.
pub(super) async fn of(registry: &str) -> Option<Credentials> {
    let folder = std::env::var_os("DOCKER_CONFIG")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".docker")))?;
    let text = tokio::fs::read(folder.join("config.json")).await.ok()?;
    let config: Config = serde_json::from_slice(&text).ok()?;
    let key = if registry == "docker.io" { DOCKER_HUB } else { registry };
    let helper = config.cred_helpers.get(registry).or_else(|| config.cred_helpers.get(key));
    if let Some(helper) = helper.or(config.creds_store.as_ref())
        && let Some(kept) = ask(helper, key).await
    {
        return Some(kept);
    }
    let names = [key.to_owned(), format!("https://{registry}"), format!("https://{registry}/v1/")];
    names.iter().find_map(|name| config.auths.get(name)?.read())
}

impl Auth {
    fn read(&self) -> Option<Credentials> {
        if let Some(token) = self.identitytoken.as_ref().filter(|token| !token.is_empty()) {
            return Some(Credentials::Identity(Secret::new(token.clone())));
        }
        if let (Some(user), Some(password)) = (&self.username, &self.password) {
            let password = Secret::new(password.clone());
            return Some(Credentials::Password { user: user.clone(), password });
        }
        let pair = STANDARD.decode(self.auth.as_ref()?.trim()).ok()?;
        let pair = String::from_utf8(pair).ok()?;
        let (user, password) = pair.split_once(':')?;
        let password = Secret::new(password.trim_end_matches('\0').to_owned());
        Some(Credentials::Password { user: user.to_owned(), password })
    }
}

/// Asks `docker-credential-NAME` for what it keeps.
async fn ask(helper: &str, key: &str) -> Option<Credentials> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if helper.is_empty() || !helper.bytes().all(is_name) {
        return None;
    }
    let mut child = Command::new(format!("docker-credential-{helper}"))
        .arg("get")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    input.write_all(key.as_bytes()).await.ok()?;
    drop(input);
    let output = tokio::time::timeout(HELPER_TIME, child.wait_with_output()).await.ok()?.ok()?;
    let Kept { username, secret } = serde_json::from_slice(&output.stdout).ok()?;
    let secret = Secret::new(secret);
    Some(if username == TOKEN_USER {
        Credentials::Identity(secret)
    } else {
        Credentials::Password { user: username, password: secret }
    })
}
