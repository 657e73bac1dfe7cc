//! The block types of the library.

use kinegraph_files::blocks::gain;
use kinegraph_files::{Catalog, CatalogError};

#[test]
fn every_name_stands_once() {
    let standard = Catalog::standard();
    let catalog = standard.types().iter().try_fold(Catalog::empty(), |catalog, block| catalog.with(*block));
    assert_eq!(catalog.expect("names that differ").types().len(), standard.types().len());
    let twice = standard.with(gain::TYPE);
    assert_eq!(twice.err(), Some(CatalogError::Duplicate { name: "gain" }));
}

#[test]
fn groups_are_in_their_order() {
    let catalog = Catalog::standard();
    let groups = catalog.groups();
    assert!(groups.is_sorted_by(|(a, _), (b, _)| a < b), "a group stands twice or out of order");
    assert!(groups.iter().all(|(_, types)| types.is_sorted_by(|a, b| a.name < b.name)));
}
