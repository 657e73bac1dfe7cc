//! `type: multiport_switch`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::multiport_switch;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(multiport_switch::TYPE).unwrap();
    let parameters = serde_json::json!({"inputs": 2, "width": 2});
    let block = catalog.build("multiport_switch", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("select", [1.0]).input_named("input0", [1.0, 2.0]);
    assert_eq!(bench.input_named("input1", [3.0, 4.0]).eval_named("output"), [3.0, 4.0]);
}
