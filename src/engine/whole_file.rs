//! Files that are written as a whole: the old contents stay until all of the new ones are on the disk.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to the file at `path`, in place of an existing one, by a temporary file beside it; links are
/// followed. A device or a pipe is written to: a file in its place would remove it.
///
/// # Errors
/// Errors of the system. The file is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match path.metadata() {
        Ok(data) => Some(data),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if is_stream(path) {
        return OpenOptions::new().append(true).open(path)?.write_all(bytes);
    }
    let place = if old.is_some() { path.canonicalize()? } else { path.to_owned() };
    let mut part = beside(&place)?;
    part.write_all(bytes)?;
    if let Some(old) = old {
        fs::set_permissions(part.path(), old.permissions())?;
    }
    part.persist(&place).map(drop).map_err(|failed| failed.error)
}

/// Creates a file beside the one at `place`, which is removed when it is dropped.
///
/// # Errors
/// Errors of the system: there is no such folder, or nothing can be written into it.
pub fn beside(place: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = place.file_name().unwrap_or(OsStr::new("kinegraph"));
    let prefix = [OsStr::new("."), name, OsStr::new(".")].join(OsStr::new(""));
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// True if `path` takes bytes one after the other and keeps no file: a pipe, a device, an open output of this process.
pub fn is_stream(path: &Path) -> bool {
    const OPEN_OUTPUTS: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];
    path.metadata().is_ok_and(|data| {
        let is_open = || OPEN_OUTPUTS.iter().any(|output| path.starts_with(output));
        !data.is_dir() && (!data.is_file() || is_open())
    })
}
