//! Reasons why a file cannot be read or written, in words for people.

use std::io;

/// Reason of the system without its error number.
pub fn plain_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull | io::ErrorKind::WriteZero => {
            "the disk is full: make room there, or name a place on another disk".into()
        }
        io::ErrorKind::QuotaExceeded => "the quota of this disk is used up: make room, or name another place".into(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}
