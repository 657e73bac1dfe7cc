//! Reading of text files, with the reason if one cannot be read.

use super::fault::FaultKind;
use super::limits::MAX_BYTES;
use super::nearby::{self, nearest_file};
use super::words::listed;
use kinegraph_core::names::did_you_mean;
use kinegraph_engine::io_reason::plain_reason;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads the text of a model or diagram file.
///
/// # Errors
/// The reason why it cannot be read.
pub fn read_text(path: &Path) -> Result<String, FaultKind> {
    let unreadable = |error: std::io::Error| FaultKind::Unreadable { reason: plain_reason(&error) };
    let file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            FaultKind::Unreadable { reason: plain_reason(&error) + &did_you_mean(&nearest_file(path)) }
        }
        _ => unreadable(error),
    })?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        let within = nearby::diagram_files(path);
        let names = if within.is_empty() { String::new() } else { format!("; name a file in it: {}", listed(&within)) };
        return Err(FaultKind::Unreadable { reason: format!("it is a folder{names}") });
    }
    // A pipe has an end and is read up to the limit; a device may not end.
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_char_device(&metadata.file_type()) {
        return Err(FaultKind::Unreadable { reason: "it is a device, not a file".into() });
    }
    let mut bytes = Vec::new();
    // The limit holds for pipes too, whose size is not known in advance.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let length = metadata.len().max(bytes.len() as u64);
    if length > MAX_BYTES {
        return Err(FaultKind::TooLarge { bytes: length, limit: MAX_BYTES });
    }
    String::from_utf8(bytes).map_err(|_| FaultKind::NotText)
}
