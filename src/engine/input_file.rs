//! Files that are read as a whole: plain ones of a bounded size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Size of the largest recording or snapshot that is read \[bytes\].
pub(crate) const MAX_BYTES: u64 = 1 << 30;

/// Reads the bytes of the file at `path`.
///
/// # Errors
/// Errors of the system; a pipe or a device, which could be read for ever; a file that is too large.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let data = path.metadata()?;
    if data.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !data.is_file() {
        return Err(io::Error::other("it is a device or a pipe, not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}
