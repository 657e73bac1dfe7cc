//! Reading diagram files over a catalog of block types.

use kinegraph_files::{Catalog, FaultKind, load_str};
use std::path::Path;

/// A program's own block type takes precedence over the library's.
#[test]
fn a_file_names_the_types_of_its_catalog_only() {
    let text = "kinegraph: 1\nsystems: {a: {type: gain, gain: 1}}\nsimulation: {duration: 1}\n";
    let path = Path::new("d.yaml");
    assert!(load_str(path, text, &[]).is_ok());
    let error = Catalog::empty().load_str(path, text, &[]).expect_err("no such type");
    assert!(matches!(&error.faults.0[..], [fault] if matches!(fault.kind, FaultKind::UnknownName { .. })));
}
