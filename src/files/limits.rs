//! Limits on the size of diagram files.

/// Largest diagram file \[bytes\].
pub const MAX_BYTES: u64 = 16 << 20;
/// Deepest nesting of files.
pub(super) const MAX_LEVELS: usize = 16;
/// Maximum number of files nested in one, each counted as often as it is named.
pub(super) const MAX_FILES: usize = 1000;
/// Maximum total size of the nested files \[bytes\].
pub(super) const MAX_NESTED_BYTES: u64 = 64 << 20;
