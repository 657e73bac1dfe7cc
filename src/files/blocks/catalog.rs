//! The block types of the library.

use super::TYPES;
use crate::catalog::Catalog;

impl Catalog {
    /// The block types of the library: group by group, in each in the order of the alphabet.
    pub fn standard() -> Self {
        let mut types = TYPES.to_vec();
        types.sort_by_key(|block| block.group);
        Catalog::of(types)
    }
}
