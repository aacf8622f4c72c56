//! `COPY` and `ADD`: where the files would come from.

use environment::{Code, Finding};

use super::verb::Verb;
use super::{Step, form};
use crate::dockerfile::{Json, read_json};
use crate::found::Advice as _;

/// Finds copies that the platform cannot make.
pub(super) fn check(step: &Step<'_>) -> Option<Finding> {
    let paths = paths(&step.instruction.arguments);
    let (_, sources) = paths.split_last()?;
    if step.verb == Verb::Copy
        && step.instruction.flags.iter().any(|flag| flag.starts_with("--from="))
    {
        let message = "the hosted builder reads only `--chown`, and looks for the source in a context that does not exist";
        let hint = "download the file in a `RUN`, or install a package";
        return Some(step.found_at(Code::StepCopyFrom, "--from=", message.to_owned()).hint(hint));
    }
    let remote = |source: &&String| step.verb == Verb::Add && is_remote(source);
    let local = |source: &&String| !is_heredoc(source) && !remote(source);
    if let Some(source) = sources.iter().find(local) {
        let message =
            format!("`{}` from a build context, and the platform has none", step.verb.name());
        let hint = "the checkout is in place when `setup` runs: use the file there";
        return Some(step.found_at(Code::StepContextCopy, source, message).hint(hint));
    }
    let remote = sources.iter().find(remote)?;
    let message = "the hosted builder treats `ADD` as `COPY`, and does not download".to_owned();
    let hint = format!("write `RUN curl -fsSLO {}`", form::shorten(remote));
    Some(step.found_at(Code::StepAdd, remote, message).hint(hint))
}

/// The paths, in order; the last is the destination.
pub(super) fn paths(arguments: &str) -> Vec<String> {
    match read_json(arguments) {
        Json::Texts(texts) => texts,
        Json::NotTexts | Json::TextsAndMore | Json::No => {
            arguments.split_whitespace().map(str::to_owned).collect()
        }
    }
}

fn is_heredoc(source: &str) -> bool {
    source.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with("<<")
}

/// What BuildKit downloads: URLs, and repositories in git's notations.
fn is_remote(source: &str) -> bool {
    ["http://", "https://", "git://", "ssh://", "git@", "github.com/"]
        .iter()
        .any(|scheme| source.starts_with(scheme))
}
