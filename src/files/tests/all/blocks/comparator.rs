//! `type: comparator`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::comparator;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(comparator::TYPE).unwrap();
    let parameters = serde_json::json!({"threshold": [1.0, 2.0], "hysteresis": 0.5});
    let block = catalog.build("comparator", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("input", [3.0, 3.0]);
    assert_eq!(bench.witnesses(), [1.75, 0.75]);
}
