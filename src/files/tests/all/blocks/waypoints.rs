//! `type: waypoints`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::waypoints;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(waypoints::TYPE).unwrap();
    let parameters = serde_json::json!({"points": [[0.0, 1.0], [4.0, 1.0], [4.0, 2.0]], "velocity": 2.0, "acceleration": [2.0, 8.0], "start": 1.0, "dwell": 0.5});
    let block = catalog.build("waypoints", parameters, Path::new("")).unwrap();
    // 3 s from 1 s on with a ramp of 1 s at each end, then 0.5 s of rest.
    let path = Bench::new(&*block).time(2.5).discrete([2.0]);
    assert_eq!((path.eval_named("position"), path.eval_named("velocity")), (vec![2.0, 1.0], vec![2.0, 0.0]));
    let rest = Bench::new(&*block).time(4.25).discrete([4.0]);
    assert_eq!((rest.eval_named("position"), rest.eval_named("velocity")), (vec![4.0, 1.0], vec![0.0, 0.0]));
}
