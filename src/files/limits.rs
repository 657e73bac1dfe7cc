//! How large diagram files may be.

/// Largest diagram file \[bytes\].
pub const MAX_BYTES: u64 = 16 << 20;
/// Deepest nesting of files.
pub(super) const MAX_LEVELS: usize = 16;
/// Most files nested in one, each counted as often as it is named.
pub(super) const MAX_FILES: usize = 1000;
/// Most bytes that these have together.
pub(super) const MAX_NESTED_BYTES: u64 = 64 << 20;
