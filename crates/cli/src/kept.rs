//! Where facts of images are kept between runs: in the user's cache, as the XDG base directories have it.

use std::path::PathBuf;

/// `$XDG_CACHE_HOME/drydock/images`, else `~/.cache/drydock/images`; `None` where there is no home.
pub(crate) fn folder() -> Option<PathBuf> {
    // The specification has relative paths ignored.
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("drydock/images"))
}
