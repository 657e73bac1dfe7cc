//! The whole lines of a file whose program may have been stopped.

/// The lines of `bytes` that have their end, and whether a part of one follows: rows are written with their ends, so
/// that of one without it nobody knows how much is missing.
pub(crate) fn whole_lines(bytes: &[u8]) -> (&[u8], bool) {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    (&bytes[..whole], whole < bytes.len())
}
