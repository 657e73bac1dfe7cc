//! The block types of the library.

use super::TYPES;
use crate::catalog::Catalog;

impl Catalog {
    /// Catalog of the library's block types: group by group, in alphabetical order within a group.
    pub fn standard() -> Self {
        let mut types = TYPES.to_vec();
        types.sort_by_key(|block| block.group);
        Catalog::of(types)
    }
}
