//! The text of model files.

use super::faults::FaultKind;
use super::report::LoadError;
use super::source::{Lines, Place};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest file read \[MiB\].
const LARGEST_MIB: u64 = 64;

/// The text of a file.
pub(super) fn read_text(path: &Path) -> Result<String, LoadError> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        LoadError::single(&name, Place::default(), FaultKind::Unreadable { reason: error.to_string() })
    };
    // Reading a pipe or a device might never end.
    let is_endless = path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir());
    if is_endless {
        return Err(unreadable(std::io::Error::other("it is a device or a pipe, not a file")));
    }
    let mut bytes = Vec::new();
    let largest = LARGEST_MIB << 20;
    File::open(path).and_then(|file| file.take(largest + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(LoadError::single(&name, Place::default(), FaultKind::TooLarge { limit_mib: LARGEST_MIB }));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        let place = Lines::new(&text).place(text.len());
        LoadError::single(&name, place, FaultKind::NotUtf8)
    })
}
