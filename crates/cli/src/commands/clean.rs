//! `drydock clean`: remove what a killed run left, and what is remembered of images.

use crate::commands::engine;
use crate::exit::Status;
use crate::fault::Fault;
use crate::kept;
use crate::report::{self, text};

/// Removes what a killed run left on the engine: only what carries Drydock's labels, and only when
/// the run that made it is dead. Forgets what was read of images.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock clean
  drydock clean --host unix:///run/user/1000/docker.sock")]
pub(crate) struct Args {
    #[command(flatten)]
    engine: engine::EngineArgs,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Status, Fault> {
    let Args { engine, json } = args;
    // First, and without an engine: these are files of the user.
    let forgotten = match kept::folder() {
        Some(folder) => image::forget(&folder)
            .map_err(|error| Fault::inconclusive(format!("{}: {error}", folder.display())))?,
        None => 0,
    };
    let cleaned = engine::block_on(async {
        let engine = runner::connect(&engine.lower())
            .await
            .map_err(|error| Fault::no_engine(error.to_string()).hint(engine::START_ONE))?;
        runner::clean(&engine).await.map_err(|error| Fault::inconclusive(error.to_string()))
    })??;
    let failed = !cleaned.left.is_empty();
    if json {
        report::json_pretty(&All { cleaned, forgotten })?;
    } else {
        report::data(words(&cleaned, forgotten).as_bytes())?;
    }
    Ok(if failed { Status::Inconclusive } else { Status::Passed })
}

/// What `--json` prints.
#[derive(serde::Serialize)]
struct All {
    #[serde(flatten)]
    cleaned: runner::Cleaned,
    /// How many images nothing is remembered of any more.
    forgotten: usize,
}

fn words(cleaned: &runner::Cleaned, forgotten: usize) -> String {
    let runner::Cleaned { containers, images, folders, in_use, left } = cleaned;
    let mut words = format!(
        "removed {}, {}, {}\n",
        text::count(containers.len(), "container"),
        text::count(images.len(), "image"),
        text::count(folders.len(), "temporary folder"),
    );
    if forgotten > 0 {
        words.push_str(&format!("forgot what was read of {}\n", text::count(forgotten, "image")));
    }
    for one in in_use {
        words.push_str(&format!("left alone (its run is alive): {}\n", text::plain(one)));
    }
    for one in left {
        words.push_str(&format!("could not be removed: {}\n", text::plain(one)));
    }
    words
}
