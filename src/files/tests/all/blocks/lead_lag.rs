//! `type: lead_lag`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::lead_lag;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(lead_lag::TYPE).unwrap();
    let parameters = serde_json::json!({"lead": 2.0, "lag": 0.5, "gain": [3.0, 1.0]});
    let block = catalog.build("lead_lag", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("input", [3.0, 3.0]).state([1.0, 2.0]);
    assert_eq!((bench.derivatives(), bench.eval_named("output")), (vec![4.0, 2.0], vec![27.0, 6.0]));
}
