//! Which addresses are tried, in which order: as Docker's own client, then Podman's.
//!
//! An address that somebody named stands alone: when it does not answer, another engine would
//! prove something about another machine.

use std::path::PathBuf;

use crate::context_store::{ContextStore, TlsFiles};
use crate::{Search, Tried};

/// An address to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// What named it.
    pub(crate) named_by: String,
    /// The address as written.
    pub(crate) host: String,
    /// TLS material, where the address asks for it.
    pub(crate) tls: Option<TlsFiles>,
}

/// The addresses, or why the named one cannot be used.
pub(crate) fn candidates(search: &Search) -> Result<Vec<Candidate>, Tried> {
    let Search { host, environment } = search;
    let tls = environment.docker_tls_verify.then(|| {
        let folder = environment.docker_cert_path.clone().or_else(|| environment.docker_folder());
        TlsFiles::of_folder(&folder.unwrap_or_default())
    });
    let one = |named_by: &str, host: &str, tls: Option<TlsFiles>| {
        vec![Candidate { named_by: named_by.to_owned(), host: host.to_owned(), tls }]
    };
    if let Some(host) = host {
        return Ok(one("--host", host, tls));
    }
    if let Some(host) = &environment.docker_host {
        return Ok(one("DOCKER_HOST", host, tls));
    }
    let store = environment.docker_folder().map(ContextStore::new);
    let named = match (&environment.docker_context, &store) {
        (Some(name), _) => Some(("DOCKER_CONTEXT", name.clone())),
        (None, Some(store)) => store.current().map(|name| ("the current docker context", name)),
        (None, None) => None,
    };
    // `default` is not stored: it means the default sockets.
    if let Some((named_by, name)) = named.filter(|(_, name)| name != "default") {
        let named_by = format!("{named_by} `{name}`");
        let endpoint = store
            .ok_or_else(|| "HOME and DOCKER_CONFIG are not set".to_owned())
            .and_then(|store| store.endpoint(&name));
        return match endpoint {
            Ok((host, tls)) => Ok(one(&named_by, &host, tls)),
            Err(reason) => Err(Tried { named_by, host: String::new(), reason }),
        };
    }
    Ok(defaults(search))
}

fn defaults(search: &Search) -> Vec<Candidate> {
    let environment = &search.environment;
    let (home, runtime) = (&environment.home, &environment.xdg_runtime_dir);
    let mut sockets: Vec<(&str, PathBuf)> = vec![("default socket", "/var/run/docker.sock".into())];
    sockets.extend(runtime.iter().map(|dir| ("rootless socket", dir.join("docker.sock"))));
    for place in [".docker/run/docker.sock", ".docker/desktop/docker.sock"] {
        sockets.extend(home.iter().map(|dir| ("Docker Desktop's socket", dir.join(place))));
    }
    let mut all: Vec<Candidate> = Vec::new();
    let named =
        |named_by: &str, host: String| Candidate { named_by: named_by.to_owned(), host, tls: None };
    for (named_by, path) in sockets {
        all.push(named(named_by, format!("unix://{}", path.display())));
    }
    all.extend(environment.container_host.iter().map(|h| named("CONTAINER_HOST", h.clone())));
    for dir in runtime.iter() {
        all.push(named("Podman's socket", format!("unix://{}/podman/podman.sock", dir.display())));
    }
    all.push(named("Podman's socket", "unix:///run/podman/podman.sock".to_owned()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineEnvironment;

    fn hosts(search: &Search) -> Vec<String> {
        match candidates(search) {
            Ok(all) => all.into_iter().map(|c| format!("{}={}", c.named_by, c.host)).collect(),
            Err(tried) => vec![format!("{}: {}", tried.named_by, tried.reason)],
        }
    }

    #[test]
    fn what_somebody_named_stands_alone_and_in_dockers_order() {
        let folder = tempfile::tempdir().unwrap();
        let digest = "b71199ebd070b36beab7317920c2c2f1d777df8d05e5527d8458fda57cb17a7a";
        let meta = folder.path().join("contexts/meta").join(digest);
        std::fs::create_dir_all(&meta).unwrap();
        std::fs::write(
            meta.join("meta.json"),
            r#"{"Name":"remote","Endpoints":{"docker":{"Host":"tcp://10.0.0.9:2375"}}}"#,
        )
        .unwrap();
        std::fs::write(folder.path().join("config.json"), r#"{"currentContext":"remote"}"#)
            .unwrap();
        let mut search = Search {
            environment: EngineEnvironment {
                docker_config: Some(folder.path().to_owned()),
                ..EngineEnvironment::default()
            },
            ..Search::default()
        };
        let current = "the current docker context `remote`=tcp://10.0.0.9:2375";
        assert_eq!(hosts(&search), [current]);
        search.environment.docker_context = Some("gone".to_owned());
        assert!(hosts(&search)[0].starts_with("DOCKER_CONTEXT `gone`: "), "{:?}", hosts(&search));
        search.environment.docker_context = Some("default".to_owned());
        assert_eq!(hosts(&search)[0], "default socket=unix:///var/run/docker.sock");
        search.environment.docker_host = Some("unix:///a".to_owned());
        assert_eq!(hosts(&search), ["DOCKER_HOST=unix:///a"]);
        search.host = Some("unix:///b".to_owned());
        assert_eq!(hosts(&search), ["--host=unix:///b"]);
    }
}
