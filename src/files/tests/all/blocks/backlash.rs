//! `type: backlash`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::backlash;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(backlash::TYPE).unwrap();
    let parameters = serde_json::json!({"gap": 0.5, "initial": [1.0, 2.0]});
    let block = catalog.build("backlash", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("input", [1.125, 3.0]).input_named("rate", [1.0, 1.0]);
    assert_eq!(bench.eval_named("output"), [1.0, 2.0]);
    assert_eq!(bench.witnesses(), [-0.125, -1.0, 0.75, -1.0]);
}
