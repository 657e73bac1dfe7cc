//! Comparison of paths and the files they lead to.

use std::path::Path;

/// True if two existing files are the same, also through links.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    // The comparison opens the files; a pipe would wait for a writer.
    let plain = |path: &Path| path.metadata().is_ok_and(|data| data.is_file());
    plain(a) && plain(b) && same_file::is_same_file(a, b).unwrap_or(false)
}

/// True if two paths are equal with links resolved.
pub(super) fn spelled_alike(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
