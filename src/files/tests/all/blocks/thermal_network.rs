//! `type: thermal_network`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::thermal_network;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(thermal_network::TYPE).unwrap();
    let parameters = serde_json::json!({"elements": {
        "losses": {"type": "heat_source", "nodes": ["ground", "a"], "heat": 3.0},
        "room": {"type": "temperature_source", "nodes": ["r"], "temperature": 20.0},
        "wall": {"type": "conductor", "nodes": ["a", "r"], "resistance": 5.0},
        "body": {"type": "mass", "nodes": ["a"], "capacity": 4.0, "initial": 30.0},
    }});
    let block = catalog.build("thermal_network", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block);
    assert_eq!((bench.derivatives(), bench.eval_named("heat.wall")), (vec![0.25], vec![2.0]));
    assert_eq!(bench.eval_named("temperature.a"), [30.0]);
}
