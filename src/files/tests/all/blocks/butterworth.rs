//! `type: butterworth`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::butterworth;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(butterworth::TYPE).unwrap();
    let parameters = serde_json::json!({"order": 1, "from": 2.0, "to": 8.0, "width": 1});
    let block = catalog.build("butterworth", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("input", [1.0]).state([0.0, 2.0]);
    // 6 s/(s² + 6 s + 16), in coordinates of its frequency 4.
    assert_eq!((bench.derivatives(), bench.eval_named("output")), (vec![8.0, -8.0], vec![3.0]));
}

#[test]
fn a_filter_without_a_band_is_a_fault() {
    let catalog = Catalog::empty().with(butterworth::TYPE).unwrap();
    let fault = catalog.build("butterworth", serde_json::json!({"order": 2}), Path::new("")).err().unwrap().to_string();
    assert!(fault.contains("no band is given: `to` makes a low pass"), "{fault}");
}
