//! Whether two paths lead to one file.

use std::path::Path;

/// Whether two files that exist are one, by whatever links.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    // To compare, files are opened; a pipe would wait for a writer.
    let plain = |path: &Path| path.metadata().is_ok_and(|data| data.is_file());
    plain(a) && plain(b) && same_file::is_same_file(a, b).unwrap_or(false)
}

/// Whether two paths are the same without links.
pub(super) fn spelled_alike(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
