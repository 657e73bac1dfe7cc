//! `type: thermal`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::thermal;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(thermal::TYPE).unwrap();
    let parameters = serde_json::json!({"capacity": 4.0, "resistance": 2.0, "initial": [20.0, 30.0]});
    let block = catalog.build("thermal", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("heat", [3.0, 3.0]).input_named("ambient", [16.0, 16.0]);
    assert_eq!((bench.derivatives(), bench.eval_named("loss")), (vec![0.25, -1.0], vec![2.0, 7.0]));
}
