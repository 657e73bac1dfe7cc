//! The block types of the library.

use super::TYPES;
use crate::files::catalog::Catalog;

impl Catalog {
    /// The block types of the library: group by group, in each in the order of the alphabet.
    pub fn standard() -> Self {
        let mut types = TYPES.to_vec();
        types.sort_by_key(|block| block.group);
        Catalog::of(types)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blocks::gain;
    use crate::files::catalog::CatalogError;

    #[test]
    fn every_name_stands_once() {
        let catalog = TYPES.iter().try_fold(Catalog::empty(), |catalog, block| catalog.with(*block));
        assert_eq!(catalog.expect("names that differ").types().len(), TYPES.len());
        let twice = Catalog::standard().with(gain::TYPE);
        assert_eq!(twice.err(), Some(CatalogError::Duplicate { name: "gain" }));
    }

    #[test]
    fn groups_are_in_their_order() {
        let catalog = Catalog::standard();
        let groups = catalog.groups();
        assert!(groups.is_sorted_by(|(a, _), (b, _)| a < b), "a group stands twice or out of order");
        assert!(groups.iter().all(|(_, types)| types.is_sorted_by(|a, b| a.name < b.name)));
    }
}
