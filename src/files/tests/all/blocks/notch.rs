//! `type: notch`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::notch;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(notch::TYPE).unwrap();
    let parameters = serde_json::json!({"frequency": 8.0, "damping_ratio": 0.25, "depth": 0.5});
    let block = catalog.build("notch", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("input", [3.0]).state([1.0, 2.0]);
    // The drive is 3 - 1 - 2·0.25·2 = 1.
    assert_eq!((bench.derivatives(), bench.eval_named("output")), (vec![16.0, 8.0], vec![2.5]));
}
