//! The diagram files of a test: those that are named, and those of folders that ask something of their runs.

use std::io;
use std::path::{Path, PathBuf};

/// Files to test, and how many of the folders are left out since they ask nothing.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub files: Vec<PathBuf>,
    pub without: usize,
}

/// Depth of folders within folders.
const MAX_DEPTH: usize = 32;

/// The files at `paths`, in their order; those of a folder by name, and by folder.
///
/// # Errors
/// The path that is none, and why.
pub(super) fn find(paths: &[PathBuf]) -> Result<Found, String> {
    let mut found = Found::default();
    for path in paths {
        let fault = |error: io::Error| format!("{}: {}", path.display(), crate::io_reason::plain_reason(&error));
        if path.is_dir() {
            let before = found.files.len();
            of_folder(path, 0, &mut found).map_err(fault)?;
            if found.files.len() == before {
                return Err(format!("{}: no diagram file in it has `requirements`", path.display()));
            }
        } else {
            // A folder and a file in it may be named both.
            if !found.files.contains(path) {
                found.files.push(path.clone());
            }
        }
    }
    Ok(found)
}

fn of_folder(folder: &Path, depth: usize, found: &mut Found) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = folder.read_dir()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let is_link = path.is_symlink();
        if path.is_dir() && !is_link && depth < MAX_DEPTH {
            of_folder(&path, depth + 1, found)?;
        } else if path.is_file() && is_diagram(&path) && !found.files.contains(&path) {
            match asks(&path) {
                Some(true) => found.files.push(path),
                Some(false) => found.without += 1,
                None => {}
            }
        }
    }
    Ok(())
}

fn is_diagram(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ["yaml", "yml", "json"].iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// True if a diagram file has requirements; `None` for a file that is no diagram.
fn asks(path: &Path) -> Option<bool> {
    let text = crate::files::read_text(path).ok()?;
    let has = |key: &str| {
        let begins = |line: &str| {
            let line = line.trim_start_matches(['{', ' ']).trim_start_matches('"');
            line.strip_prefix(key).is_some_and(|rest| rest.trim_start_matches('"').starts_with(':'))
        };
        text.lines().any(begins)
    };
    has("kinegraph").then(|| has("requirements"))
}
