//! Whole lines of a file whose program may have been stopped.

/// Splits off the whole lines of `bytes`, and reports whether a part of a line follows. Rows are written with their
/// line ends, so a line without one may be cut anywhere.
pub(super) fn whole_lines(bytes: &[u8]) -> (&[u8], bool) {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    (&bytes[..whole], whole < bytes.len())
}
