//! Finds the file that a misspelt path most likely means, by the nearest name.

use kinegraph_core::names::nearest;
use std::path::{Path, PathBuf};

/// Existing file with the name nearest to that of `path` in its folder, preferably of the same kind. If the folder does
/// not exist, the file of this name in the folder of the nearest name.
pub fn nearest_file(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let found = if folder.is_dir() {
        let kind = |name: &str| Path::new(name).extension().map(|e| e.to_ascii_lowercase());
        let same_kind = |other: &str| kind(name).is_none_or(|own| kind(other).is_some_and(|other| other == own));
        // If no file of the same kind is near, the ending may be misspelt.
        let names = entries(folder, false);
        let beside = nearest(name, names.iter().filter(|other| same_kind(other)));
        path.with_file_name(beside.or_else(|| nearest(name, &names))?)
    } else {
        let above = folder.parent()?;
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        let meant = nearest(folder.file_name()?.to_str()?, entries(above, true))?;
        let found: PathBuf = folder.with_file_name(meant).join(name);
        found.is_file().then_some(found)?
    };
    Some(found.display().to_string())
}

/// The diagram files of a folder.
pub fn diagram_files(folder: &Path) -> Vec<String> {
    let is_one = |name: &String| name.ends_with(".yaml") || name.ends_with(".yml");
    entries(folder, false).into_iter().filter(is_one).map(|name| folder.join(name).display().to_string()).collect()
}

fn entries(folder: &Path, folders: bool) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let is_kind = |entry: &std::fs::DirEntry| entry.path().is_dir() == folders;
    let mut names: Vec<String> =
        entries.flatten().filter(is_kind).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
