//! Finding an engine: the first address that answers.

use std::future::Future;

use crate::candidates::{Candidate, candidates};
use crate::{Client, Ping, Search, address};

/// An engine that answered.
#[derive(Debug)]
pub struct Reached {
    /// The way to it.
    pub client: Client,
    /// What it said of itself.
    pub ping: Ping,
    /// The address as written.
    pub host: String,
    /// What named that address: `--host`, `DOCKER_HOST`, a context, a default socket.
    pub named_by: String,
}

/// No engine can be reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no container engine can be reached: {}", one_line(.tried))]
pub struct NoEngine {
    /// Each address that was tried, in order.
    pub tried: Vec<Tried>,
}

/// One address that was tried in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// What named it: `--host`, `DOCKER_HOST`, a context, a default socket.
    pub named_by: String,
    /// The address, where there is one, without a password in it.
    pub host: String,
    /// Why it did not serve.
    pub reason: String,
}

/// Finds an engine the way Docker's own client does: the first that answers, and that `take` finds
/// fit for its purpose.
///
/// # Errors
/// [`NoEngine`] says what was tried, each with its reason.
pub async fn find<T, F>(search: &Search, mut take: impl FnMut(Reached) -> F) -> Result<T, NoEngine>
where
    F: Future<Output = Result<T, String>>,
{
    let list = candidates(search).map_err(|tried| NoEngine { tried: vec![tried] })?;
    let mut tried = Vec::new();
    for candidate in list {
        let taken = match reach(&candidate).await {
            Ok(reached) => take(reached).await,
            Err(reason) => Err(reason),
        };
        match taken {
            Ok(taken) => return Ok(taken),
            Err(reason) => {
                let host = address::without_password(&candidate.host);
                tried.push(Tried { named_by: candidate.named_by, host, reason });
            }
        }
    }
    Err(NoEngine { tried })
}

async fn reach(candidate: &Candidate) -> Result<Reached, String> {
    let client = Client::new(candidate.way()?);
    let ping = client.ping().await?;
    let Candidate { named_by, host, tls: _ } = candidate.clone();
    Ok(Reached { client, ping, host, named_by })
}

fn one_line(tried: &[Tried]) -> String {
    let all: Vec<String> =
        tried.iter().map(|t| format!("{} {} ({})", t.named_by, t.host, t.reason)).collect();
    all.join("; ")
}
