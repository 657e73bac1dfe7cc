//! The bytes of mesh files, and common parts of the readers of all formats.

use super::fault::{LARGEST_MIB, MeshFault};
use crate::access::FileAccess;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The fault of an unreadable file: the path that was tried, and the reason.
fn unreadable(path: &Path, error: &std::io::Error) -> MeshFault {
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file \"{}\"", path.display()),
        _ => format!("{}: {error}", path.display()),
    };
    MeshFault::Unreadable(reason)
}

/// Maximum number of points of all instances in a file together.
pub const MAX_POINTS: usize = 10_000_000;

/// The fault of a file that is not of its format.
pub fn invalid(format: &'static str, reason: String) -> MeshFault {
    MeshFault::Invalid { format, reason }
}

/// The folder of a mesh, from which the files that it names are read.
pub struct Beside {
    folder: PathBuf,
    access: FileAccess,
}

impl Beside {
    /// The folder of the mesh at `path`; files that are read are recorded in the list of `access`.
    pub fn new(path: &Path, access: &FileAccess) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let access = access.clone().with(&folder);
        Beside { folder, access }
    }

    /// The bytes of a file in the folder or below it.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, MeshFault> {
        read_bytes(&self.find(name)?)
    }

    /// The path of a file in the folder or below it.
    pub fn find(&self, name: &str) -> Result<PathBuf, MeshFault> {
        let path = Path::new(name);
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if name.contains("://") || !path.components().all(plain) {
            return Err(MeshFault::Unreadable(format!("{name:?} is not a file in the folder of the mesh")));
        }
        let path = self.folder.join(path);
        self.access.check(&path)?;
        Ok(path)
    }
}

/// The bytes of a file that is not too large.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, MeshFault> {
    let unreadable = |error: std::io::Error| unreadable(path, &error);
    // Reading a pipe or a device might never end.
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err(MeshFault::Unreadable("not a file".to_owned()));
    }
    let mut bytes = Vec::new();
    let largest = LARGEST_MIB << 20;
    File::open(path).and_then(|file| file.take(largest + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(MeshFault::TooLarge);
    }
    Ok(bytes)
}
