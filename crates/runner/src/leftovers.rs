//! What a run made on the engine, removed at its end.

use std::time::Duration;

use crate::build::CACHE_LABEL;
use crate::engine::Port;
use crate::identity::{RUN, now_s};

/// How long removing may take before the run ends without it; `drydock clean` finds the rest.
const WITHIN: Duration = Duration::from_secs(20);
/// A builder that was cut off may still be writing its image.
const SETTLES: Duration = Duration::from_millis(300);
/// How long an unused part of the classic builder's cache stays: a week, in seconds.
const CACHE_STAYS_S: i64 = 7 * 24 * 3600;

/// How many things were removed, and what is left in words.
pub(crate) type Removed = (u32, Vec<String>);

/// Removes the one image of a run that went well.
pub(crate) async fn remove_image<P: Port>(port: &P, image: Option<&str>) -> Removed {
    let Some(image) = image else { return (0, Vec::new()) };
    match tokio::time::timeout(WITHIN, port.remove_image(image)).await {
        Ok(Ok(())) => (1, Vec::new()),
        Ok(Err(error)) => (0, vec![format!("image {image}: {error:?}")]),
        Err(_) => (0, vec![format!("image {image}: the engine did not answer")]),
    }
}

/// Removes everything that carries the run's label, except what is to stay. Looks again a moment
/// later when the builder was cut off.
pub(crate) async fn remove_all_of<P: Port>(
    port: &P,
    run: &str,
    stays: Option<&str>,
    cut_off: bool,
) -> Removed {
    let label = format!("{RUN}={run}");
    let removing = async {
        let first = sweep(port, &label, stays).await;
        if !cut_off {
            return first;
        }
        tokio::time::sleep(SETTLES).await;
        let second = sweep(port, &label, stays).await;
        (first.0 + second.0, second.1)
    };
    tokio::time::timeout(WITHIN, removing)
        .await
        .unwrap_or_else(|_| (0, vec![format!("what carries the label {label}: no answer")]))
}

/// The classic builder never forgets: what it has kept for us for a week goes, and what newer
/// builds stand on stays. Returns the ids of what went.
pub(crate) async fn forget_old_cache<P: Port>(port: &P) -> Vec<String> {
    let forgetting = async {
        let mut old = port.images(CACHE_LABEL).await.unwrap_or_default();
        let now = now_s();
        old.retain(|image| image.names.is_empty() && now - image.created_s > CACHE_STAYS_S);
        // Children before parents: the engine refuses to remove what something stands on.
        old.sort_by_key(|image| std::cmp::Reverse(image.created_s));
        let mut gone = Vec::new();
        for image in old {
            if port.remove_chain(&image.id).await.is_ok() {
                gone.push(image.id);
            }
        }
        gone
    };
    tokio::time::timeout(WITHIN, forgetting).await.unwrap_or_default()
}

async fn sweep<P: Port>(port: &P, label: &str, stays: Option<&str>) -> Removed {
    let (mut removed, mut left) = (0, Vec::new());
    let mut note = |what: String, result: Result<(), triage::EngineError>| match result {
        Ok(()) => removed += 1,
        Err(error) => left.push(format!("{what}: {error:?}")),
    };
    match port.containers(label).await {
        Ok(found) => {
            for container in found {
                let result = port.remove_container(&container.id).await;
                note(format!("container {}", container.id), result);
            }
        }
        Err(error) => note("containers".to_owned(), Err(error)),
    }
    match port.images(label).await {
        Ok(found) => {
            for image in found.iter().filter(|image| Some(image.id.as_str()) != stays) {
                note(format!("image {}", image.id), port.remove_image(&image.id).await);
            }
        }
        Err(error) => note("images".to_owned(), Err(error)),
    }
    (removed, left)
}
