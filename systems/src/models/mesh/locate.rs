//! From the address of a mesh to a path.

use super::fault::MeshFault;
use std::path::{Path, PathBuf};

/// The path that `filename` means in a file in `folder`: `package://name/path` and `model://name/path` in the package
/// of that name (see [`package`]), `file://path`, or a path, relative to `folder`.
pub(super) fn locate(filename: &str, folder: &Path) -> Result<PathBuf, MeshFault> {
    let Some((scheme, rest)) = filename.split_once("://") else { return Ok(folder.join(filename)) };
    match scheme {
        "file" => Ok(folder.join(rest)),
        "package" | "model" => {
            let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
            let root = package(name, folder).ok_or_else(|| MeshFault::NoPackage(name.to_owned()))?;
            Ok(root.join(path))
        }
        _ => Err(MeshFault::UnknownScheme(format!("{scheme}://"))),
    }
}

/// The nearest folder at or above `folder` that is the package `name`, by its own name or by its `package.xml`, or that
/// holds a folder of that name.
fn package(name: &str, folder: &Path) -> Option<PathBuf> {
    if name.is_empty() || name.contains("..") {
        return None;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find_map(|above| {
        if above.file_name().is_some_and(|own| own == name) || names_itself(above, name) {
            return Some(above.to_owned());
        }
        let inside = above.join(name);
        inside.is_dir().then_some(inside)
    })
}

/// Whether `package.xml` in this folder gives the package this name.
fn names_itself(folder: &Path, name: &str) -> bool {
    const LONGEST: u64 = 1 << 20;
    let file = folder.join("package.xml");
    if !file.metadata().is_ok_and(|data| data.is_file() && data.len() <= LONGEST) {
        return false;
    }
    let Ok(text) = std::fs::read_to_string(file) else { return false };
    let Ok(document) = roxmltree::Document::parse(&text) else { return false };
    let mut names = document.root_element().children().filter(|node| node.has_tag_name("name"));
    names.next().and_then(|node| node.text()).is_some_and(|own| own.trim() == name)
}
