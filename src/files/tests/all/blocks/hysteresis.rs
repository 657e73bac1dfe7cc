//! `type: hysteresis`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::hysteresis;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(hysteresis::TYPE).unwrap();
    let parameters = serde_json::json!({"stiffness": 10.0, "yield_displacement": 2.0, "yielded_stiffness_ratio": 0.25, "exponent": 2.0, "shape": 0.75});
    let block = catalog.build("hysteresis", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("displacement", [4.0]).input_named("rate", [-2.0]).state([1.0]);
    // z/d = 1/2: -2 - 0.75·2/4 + 0.25·2/4; the force is 0.25·10·4 + 0.75·10·1.
    assert_eq!((bench.derivatives(), bench.eval_named("force")), (vec![-2.25], vec![17.5]));
}
