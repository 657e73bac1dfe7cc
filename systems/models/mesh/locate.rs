//! Path of a mesh from its address.

use super::fault::MeshFault;
use crate::access::{AccessFault, FileAccess, is_package, real};
use std::path::{Path, PathBuf};

/// The path of `filename` in a file in `folder`: for `package://name/path` and `model://name/path` in the package of
/// that name (see [`package`]), which it must not leave; for `file://path`, and for a path, relative to `folder`. The
/// path must be permitted by `access`; the file need not exist.
pub(super) fn locate(
    filename: &str,
    folder: &Path,
    model_paths: &[PathBuf],
    access: &FileAccess,
) -> Result<PathBuf, MeshFault> {
    let Some((scheme, rest)) = filename.split_once("://") else {
        return permitted(folder.join(filename), access, |_| false);
    };
    match scheme {
        "file" => permitted(folder.join(rest), access, |_| false),
        "package" | "model" => {
            // Some files write three slashes.
            let rest = rest.trim_start_matches('/');
            let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
            let root = package(name, path, folder, model_paths, access);
            let root = root.ok_or_else(|| MeshFault::NoPackage(name.to_owned()))?;
            // A package that was built with links leads to its sources, whose manifest has the same name.
            let is_own = |place: &Path| {
                place.starts_with(real(&root)) || place.ancestors().any(|folder| names_itself(folder, name))
            };
            permitted(root.join(path), access, is_own)
        }
        _ => Err(MeshFault::UnknownScheme(format!("{scheme}://"))),
    }
}

/// The path, if its target may be opened or is in a package.
fn permitted(path: PathBuf, access: &FileAccess, is_own: impl Fn(&Path) -> bool) -> Result<PathBuf, MeshFault> {
    let place = real(&path);
    if access.holds(&place) || is_own(&place) {
        return Ok(path);
    }
    let add = access.line(place.parent().unwrap_or(&place));
    Err(AccessFault::Outside { file: path.display().to_string(), add }.into())
}

/// The package `name` that contains `path`, or else the first one of that name: in `model_paths`; in a folder at or
/// above `folder`, the nearest first; in the folders of the environment. If folders of one name are nested, as in
/// Python packages, the inner one may be the package. A folder above that was not given explicitly is a package only if
/// it has a manifest: otherwise the root of the disk would contain one called `etc`.
fn package(name: &str, path: &str, folder: &Path, model_paths: &[PathBuf], access: &FileAccess) -> Option<PathBuf> {
    if name.is_empty() || name.contains("..") {
        return None;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let above = folder.canonicalize().ok();
    let above = above.iter().flat_map(|folder| folder.ancestors());
    let chosen = |found: &PathBuf| is_package(found) || access.holds(found);
    let mut found: Vec<PathBuf> = model_paths.iter().filter_map(|root| in_folder(name, root)).collect();
    found.extend(above.filter_map(|above| in_folder(name, above).filter(chosen)));
    found.extend(environment().iter().filter_map(|root| in_folder(name, root)));
    let has_it = found.iter().position(|package| package.join(path).is_file()).unwrap_or(0);
    (has_it < found.len()).then(|| found.swap_remove(has_it))
}

/// `folder` if it is the package `name`, by its own name or by its `package.xml`, or the folder of that name in it.
fn in_folder(name: &str, folder: &Path) -> Option<PathBuf> {
    if folder.file_name().is_some_and(|own| own == name) || names_itself(folder, name) {
        return Some(folder.to_owned());
    }
    let inside = folder.join(name);
    inside.is_dir().then_some(inside)
}

/// Folders in which ROS searches for packages.
fn environment() -> Vec<PathBuf> {
    let list = |variable| std::env::var_os(variable).unwrap_or_default();
    let (sources, prefixes) = (list("ROS_PACKAGE_PATH"), list("AMENT_PREFIX_PATH"));
    let prefixes = std::env::split_paths(&prefixes).filter(|p| !p.as_os_str().is_empty()).map(|p| p.join("share"));
    std::env::split_paths(&sources).filter(|p| !p.as_os_str().is_empty()).chain(prefixes).collect()
}

/// True if `package.xml` in this folder names the package so.
fn names_itself(folder: &Path, name: &str) -> bool {
    const MAX_BYTES: u64 = 1 << 20;
    let file = folder.join("package.xml");
    if !file.metadata().is_ok_and(|data| data.is_file() && data.len() <= MAX_BYTES) {
        return false;
    }
    let Ok(text) = std::fs::read_to_string(file) else { return false };
    let Ok(document) = roxmltree::Document::parse(&text) else { return false };
    let mut names = document.root_element().children().filter(|node| node.has_tag_name("name"));
    names.next().and_then(|node| node.text()).is_some_and(|own| own.trim() == name)
}
