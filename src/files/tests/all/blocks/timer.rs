//! `type: timer`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::timer;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(timer::TYPE).unwrap();
    let parameters = serde_json::json!({"threshold": 2.0, "while_false": "keep", "width": 1});
    let block = catalog.build("timer", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).time(5.0).input_named("input", [1.0]).discrete([1.0, 3.0, 0.5]);
    let stopped = bench.reset(kinegraph_core::port::Witness { index: 0 }).1;
    assert_eq!((bench.eval_named("output"), bench.witnesses()[0]), (vec![2.5], 1.0));
    assert_eq!(stopped, [0.0, 5.0, 2.5]);
}
