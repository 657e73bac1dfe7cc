//! `type: quaternion`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::quaternion;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(quaternion::TYPE).unwrap();
    let parameters = serde_json::json!({"operation": "product"});
    let block = catalog.build("quaternion", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("a", [1.0, 2.0, 3.0, 4.0]).input_named("b", [5.0, 6.0, 7.0, 8.0]);
    assert_eq!(bench.eval_named("output"), [-60.0, 12.0, 30.0, 24.0]);
}
