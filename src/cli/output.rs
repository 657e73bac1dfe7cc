//! Reasons why a file named by an option cannot be written.

use crate::io_reason::plain_reason;
use std::io;
use std::path::Path;

/// Message such as `--record /tmp/x/out.csv: cannot be written: there is no folder /tmp/x`.
pub(super) fn cannot_write(option: &str, file: &Path, error: &io::Error) -> String {
    let reason = match missing_folder(file) {
        Some(folder) if error.kind() == io::ErrorKind::NotFound => format!("there is no folder {}", folder.display()),
        None if error.kind() == io::ErrorKind::NotFound => "no file can be made in that folder".into(),
        _ if error.kind() == io::ErrorKind::IsADirectory || file.is_dir() => "it is a folder".into(),
        _ => plain_reason(error),
    };
    format!("{option} {}: cannot be written: {reason}", file.display())
}

/// Outermost folder in the path of `file` that does not exist.
pub(super) fn missing_folder(file: &Path) -> Option<&Path> {
    let folders = file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    folders.take_while(|folder| !folder.exists()).last()
}
