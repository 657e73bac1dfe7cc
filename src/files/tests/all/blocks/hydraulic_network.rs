//! `type: hydraulic_network`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::hydraulic_network;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(hydraulic_network::TYPE).unwrap();
    let parameters = serde_json::json!({"elements": {
        "supply": {"type": "pressure_source", "nodes": ["p"], "pressure": 6.0},
        "pump": {"type": "flow_source", "nodes": ["ground", "a"], "flow": 2.0},
        "valve": {"type": "pipe", "nodes": ["p", "a"], "resistance": 4.0},
        "vessel": {"type": "tank", "nodes": ["a"], "capacity": 0.5, "initial": 2.0},
        "column": {"type": "fluid_mass", "nodes": ["a", "b"], "inertance": 2.0, "initial": 1.0},
        "out": {"type": "pipe", "nodes": ["b"], "resistance": 1.0},
        "piston": {"type": "cylinder", "nodes": ["a"], "area": 0.25},
    }});
    let block = catalog.build("hydraulic_network", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("piston", [4.0]);
    assert_eq!(bench.derivatives(), [(2.0 - 1.0) / 2.0, (1.0 + 2.0 - 1.0 - 1.0) / 0.5]);
    assert_eq!((bench.eval_named("force.piston"), bench.eval_named("flow.valve")), (vec![0.5], vec![1.0]));
}
