//! `type: friction`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::friction;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(friction::TYPE).unwrap();
    let parameters = serde_json::json!({"coulomb": 2.0, "breakaway": 3.0, "stribeck_speed": 0.5, "viscous": [1.0, 4.0], "transition_speed": 0.01});
    let block = catalog.build("friction", parameters, Path::new("")).unwrap();
    let force = Bench::new(&*block).input_named("velocity", [0.5, -0.5]).eval_named("force");
    let dry = 2.0 + (-1.0_f64).exp();
    assert!((force[0] + dry + 0.5).abs() < 1e-12 && (force[1] - dry - 2.0).abs() < 1e-12, "{force:?}");
}
