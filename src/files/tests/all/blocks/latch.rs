//! `type: latch`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::latch;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(latch::TYPE).unwrap();
    let parameters = serde_json::json!({"threshold": 2.0, "dominant": "set", "starts": "set"});
    let block = catalog.build("latch", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("set", [3.0]).input_named("reset", [5.0]);
    // Both are true, and `set` decides.
    assert_eq!((bench.eval_named("output"), bench.witnesses()), (vec![1.0], vec![-1.0]));
}
