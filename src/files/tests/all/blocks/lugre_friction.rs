//! `type: lugre_friction`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::lugre_friction;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(lugre_friction::TYPE).unwrap();
    let parameters = serde_json::json!({"coulomb": 2.0, "viscous": 1.0, "stiffness": 8.0, "damping": 0.5});
    let block = catalog.build("lugre_friction", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("velocity", [2.0]).state([0.125]);
    // The breakaway friction is that of Coulomb by default: the bristles bend by 2 - 8·2·0.125/2 = 1.
    assert_eq!((bench.derivatives(), bench.eval_named("force")), (vec![1.0], vec![-3.5]));
}
