//! `type: electrical_network`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::electrical_network;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(electrical_network::TYPE).unwrap();
    let parameters = serde_json::json!({"elements": {
        "V": {"type": "voltage_source", "nodes": ["in"]},
        "W": {"type": "voltage_source", "nodes": ["high", "in"], "voltage": 2.0},
        "R": {"type": "resistor", "nodes": ["high", "a"], "resistance": 2.0},
        "C": {"type": "capacitor", "nodes": ["a"], "capacitance": 0.5, "initial": 3.0},
        "L": {"type": "inductor", "nodes": ["a", "b"], "inductance": 0.25, "initial": 1.0},
        "M": {"type": "motor", "nodes": ["b", "ground"], "torque_constant": 0.1},
        "I": {"type": "current_source", "nodes": ["ground", "a"], "current": 4.0},
    }});
    let block = catalog.build("electrical_network", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("V", [5.0]).input_named("M", [10.0]);
    // (7 V - 3 V)/2 Ω - 1 A + 4 A on 0.5 F, 3 V - 1 V on 0.25 H.
    assert_eq!(bench.derivatives(), [10.0, 8.0]);
    assert_eq!((bench.eval_named("torque.M"), bench.eval_named("current.W")), (vec![0.1], vec![-2.0]));
    assert_eq!((bench.eval_named("voltage.b"), bench.eval_named("power.R")), (vec![1.0], vec![8.0]));
}
