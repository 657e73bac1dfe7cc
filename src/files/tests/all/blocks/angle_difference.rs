//! `type: angle_difference`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::angle_difference;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(angle_difference::TYPE).unwrap();
    let block = catalog.build("angle_difference", serde_json::json!({"width": 2}), Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("desired", [3.0, 1.0]).input_named("measured", [-3.0, 0.5]);
    assert_eq!(bench.eval_named("output"), [6.0 - std::f64::consts::TAU, 0.5]);
}
