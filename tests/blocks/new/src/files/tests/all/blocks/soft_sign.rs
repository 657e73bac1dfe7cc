//! `type: soft_sign`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::soft_sign;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(soft_sign::TYPE).unwrap();
    let block = catalog.build("soft_sign", serde_json::json!({"scale": 4, "width": 2}), Path::new("")).unwrap();
    assert_eq!(Bench::new(&*block).input_named("input", [3.0, -3.0]).eval_named("output"), [0.6, -0.6]);
}
