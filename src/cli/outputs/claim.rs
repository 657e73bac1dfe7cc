//! Place that an output will be written to.

use super::same;
use crate::cli::output::{cannot_write, missing_folder};
use crate::whole_file;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

/// Present content of a place.
enum Place {
    /// A file.
    File,
    /// Nothing; the path is the one with links resolved.
    New(PathBuf),
    /// A pipe or a device.
    Stream,
}

/// A file and the option that names it.
pub(super) struct Claim {
    pub option: &'static str,
    pub file: PathBuf,
    place: Place,
}

impl Claim {
    /// Checks the place of `file`; an error message if nothing can be written there.
    pub fn new(option: &'static str, file: &Path) -> Result<Self, String> {
        let claimed = |place| Ok(Claim { option, file: file.to_owned(), place });
        let refused = |kind: io::ErrorKind| Err(cannot_write(option, file, &kind.into()));
        if whole_file::is_stream(file) {
            return match is_disk(file) {
                true => Err(format!("{option} {}: cannot be written: it is a disk", file.display())),
                false => claimed(Place::Stream),
            };
        }
        match file.metadata() {
            Ok(data) if data.is_dir() => refused(io::ErrorKind::IsADirectory),
            Ok(_) => claimed(Place::File),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(option, file, &error)),
            Err(_) if missing_folder(file).is_some() => refused(io::ErrorKind::NotFound),
            Err(_) if file.symlink_metadata().is_ok() => {
                Err(format!("{option} {}: cannot be written: it is a link to nothing", file.display()))
            }
            Err(_) => {
                let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = folder.canonicalize().map_err(|error| cannot_write(option, file, &error))?;
                let Some(name) = file.file_name() else { return refused(io::ErrorKind::IsADirectory) };
                claimed(Place::New(folder.join(name)))
            }
        }
    }

    /// True if both would be written to one place.
    pub fn is_same(&self, other: &Claim) -> bool {
        match (&self.place, &other.place) {
            (Place::New(a), Place::New(b)) => a == b,
            (Place::File, Place::File) => same::is_same(&self.file, &other.file),
            // A device keeps nothing, but two outputs in one pipe would be unreadable.
            (Place::Stream, Place::Stream) => is_pipe(&self.file) && same::spelled_alike(&self.file, &other.file),
            _ => false,
        }
    }

    /// Path, if a file exists there.
    pub fn existing(&self) -> Option<&Path> {
        self.file.metadata().is_ok_and(|data| data.is_file()).then_some(&self.file)
    }

    /// True for a pipe or a device.
    pub fn is_stream(&self) -> bool {
        matches!(self.place, Place::Stream)
    }

    /// Checks that a file can be written there: row by row, or `whole` at the end, by a temporary file beside it.
    pub fn check_writable(&self, whole: bool) -> Result<(), String> {
        let opened = match &self.place {
            Place::Stream => return Ok(()),
            Place::File => OpenOptions::new().append(true).open(&self.file).map(drop),
            Place::New(_) => Ok(()),
        };
        let beside = |place: &Path| whole_file::beside(place).map(drop);
        let checked = opened.and_then(|()| match &self.place {
            Place::New(place) => beside(place),
            Place::File if whole => self.file.canonicalize().and_then(|place| beside(&place)),
            Place::File | Place::Stream => Ok(()),
        });
        checked.map_err(|error| cannot_write(self.option, &self.file, &error))
    }
}

#[cfg(unix)]
fn is_disk(file: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    file.metadata().is_ok_and(|data| data.file_type().is_block_device())
}

#[cfg(unix)]
fn is_pipe(file: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    file.metadata().is_ok_and(|data| data.file_type().is_fifo() || data.file_type().is_socket())
}

#[cfg(not(unix))]
fn is_disk(_: &Path) -> bool {
    false
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}
