//! What a base must know of this machine's network: the mirror, the proxy, the certificate authorities.

use std::fs;

use anyhow::{Context, Result};

use crate::command::{capture, command};
use crate::packages;
use crate::root::Root;

/// The mirror that this machine's apt takes Debian from.
pub(crate) fn debian_mirror(root: Root) -> Result<String> {
    packages::update_lists_for(root, "debootstrap")?;
    let format = "$(REPO_URI) $(COMPONENT) $(ORIGIN) $(LABEL)";
    let targets = capture(&mut command(
        "apt-get",
        ["indextargets", "--format", format, "Created-By: Packages"],
    ))?;
    targets
        .lines()
        .find_map(|line| line.strip_suffix(" main Debian Debian"))
        .map(str::to_owned)
        .context("apt's sources name no Debian mirror with the component `main`")
}

/// Files that make the mirror and TLS work in a base as they do on this machine.
pub(crate) fn additions() -> Result<Vec<(&'static str, Vec<u8>)>> {
    // A mirror that stumbles once must not look like a failing fixture.
    let retries = b"Acquire::Retries \"5\";\n".to_vec();
    let mut files = vec![("etc/apt/apt.conf.d/90retries", retries)];
    let bundle =
        std::env::var("SSL_CERT_FILE").unwrap_or("/etc/ssl/certs/ca-certificates.crt".into());
    if let Ok(bundle) = fs::read(bundle) {
        files.push(("etc/ssl/certs/ca-certificates.crt", bundle));
    }
    let settings = capture(&mut command("apt-config", ["dump"]))?;
    let proxies: String = settings
        .lines()
        .filter(|line| {
            line.starts_with("Acquire::http::Proxy") || line.starts_with("Acquire::https::Proxy")
        })
        .map(|line| format!("{line}\n"))
        .collect();
    if !proxies.is_empty() {
        files.push(("etc/apt/apt.conf.d/90host-proxy", proxies.into_bytes()));
    }
    Ok(files)
}
