//! `type: state_machine`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::state_machine;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(state_machine::TYPE).unwrap();
    let parameters = serde_json::json!({
        "inputs": ["x"],
        "outputs": ["gain"],
        "variables": {"count": 3.0},
        "states": {
            "low": {"gain": 2.0, "to": [{"high": "x > 1"}]},
            "high": {"enter": {"count": "count + 1"}, "gain": "count*x"},
        },
        "initial": "low",
    });
    let block = catalog.build("state_machine", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("x", [1.5]);
    assert_eq!(
        (bench.eval_named("gain"), bench.eval_named("is_low"), bench.witnesses()[0]),
        (vec![2.0], vec![1.0], 0.5)
    );
    let high =
        Bench::new(&*block).discrete(bench.reset(kinegraph_core::Witness { index: 0 }).1).input_named("x", [1.5]);
    assert_eq!((high.eval_named("gain"), high.eval_named("state")), (vec![6.0], vec![0.0]));
}
