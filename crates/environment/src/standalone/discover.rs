//! Which files of a repository may be definitions of a format.

use super::Standalone;
use crate::dialect::Request;
use crate::fault::{At, Fault};
use crate::files::Files;
use crate::{Code, RepoPath, Target};

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    /// Files to look at, in the order of their paths.
    pub(super) paths: Vec<RepoPath>,
    /// Those of them that the settings name with this dialect: no doubt about them.
    pub(super) certain: Vec<RepoPath>,
    pub(super) faults: Vec<Fault>,
}

pub(super) fn discover(format: &Standalone, files: &Files<'_>, request: &Request<'_>) -> Found {
    let mut found = Found::default();
    if let Target::File(path) = request.target {
        if files.exists(path) {
            found.paths.push(path.clone());
        }
        return found;
    }
    for folder in format.folders {
        let Ok(folder) = RepoPath::new(folder) else { continue };
        match files.list(&folder) {
            Ok(all) => found.paths.extend(all.into_iter().filter(|path| is_readable(format, path))),
            Err(error) => {
                let message = format!("the folder cannot be listed: {error:?}");
                found.faults.push(Fault::anywhere(Code::FileUnreadable, At::File(folder), message));
            }
        }
    }
    let single = format.files.iter().filter_map(|path| RepoPath::new(path).ok());
    found.paths.extend(single.filter(|path| files.exists(path)));
    for listed in &request.options.listed {
        if listed.dialect.is_none_or(|dialect| dialect == format.dialect) {
            found.paths.push(listed.path.clone());
        }
        if listed.dialect == Some(format.dialect) {
            found.certain.push(listed.path.clone());
        }
    }
    found.paths.sort();
    found.paths.dedup();
    found
}

fn is_readable(format: &Standalone, path: &RepoPath) -> bool {
    format.endings.iter().any(|ending| path.as_str().ends_with(ending))
}
