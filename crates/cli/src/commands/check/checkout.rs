//! What the commit holds that the image cannot get: found before the build, not minutes into it.

use environment::{Code, Finding};
use runner::Listed;

use crate::definitions::Definitions;
use crate::fault::Fault;
use crate::repository::Repository;

/// Findings about the files of `commit`, when any plan puts them into the image.
pub(crate) async fn findings(
    repository: &Repository,
    commit: &str,
    definitions: &Definitions,
) -> Result<Vec<Finding>, Fault> {
    let mounts = definitions.plans.iter().any(|shared| shared.plan.checkout.is_some());
    if !mounts {
        return Ok(Vec::new());
    }
    let survey =
        runner::survey(repository.root(), commit).await.map_err(|error| Fault::context(&error))?;
    let found = [
        finding(
            Code::CheckoutSubmodule,
            &survey.submodules,
            "submodule",
            "the folder is empty in the image; a hosted session may have it",
            "let setup fetch what it needs, or commit the files themselves",
        ),
        finding(
            Code::CheckoutLfsPointer,
            &survey.lfs_pointers,
            "Git LFS pointer",
            "the image has the pointer, not the contents",
            "let setup run `git lfs pull` only where a `.git` folder is there, or commit the contents",
        ),
        finding(
            Code::CheckoutWhiteout,
            &survey.whiteouts,
            "name that begins with `.wh.`",
            "image layers take such a name for a deletion, so the file would vanish",
            "rename it",
        ),
    ];
    Ok(found.into_iter().flatten().collect())
}

fn finding(code: Code, paths: &Listed, noun: &str, what: &str, hint: &str) -> Option<Finding> {
    if paths.is_empty() {
        return None;
    }
    let count = paths.count;
    let named = paths.first.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if count > 3 { ", …" } else { "" };
    let plural = if count == 1 { "" } else { "s" };
    Some(Finding {
        code,
        severity: code.severity(),
        place: None,
        message: format!("{count} {noun}{plural} in the commit ({named}{more}): {what}"),
        expected: None,
        hint: Some(hint.to_owned()),
        excerpt: None,
        related: Vec::new(),
    })
}
