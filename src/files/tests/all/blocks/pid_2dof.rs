//! `type: pid_2dof`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::pid_2dof;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(pid_2dof::TYPE).unwrap();
    let parameters = serde_json::json!({"kp": 2.0, "ki": 4.0, "kd": [1.0], "b": 0.5, "c": 0.25, "manual": true, "derivative_filter": 0.5, "upper": 100.0});
    let block = catalog.build("pid_2dof", parameters, Path::new("")).unwrap();
    let bench = Bench::new(&*block).input_named("measured", [1.0]).input_named("reference", [4.0]);
    let bench = bench.input_named("manual", [0.0]).input_named("track", [7.0]).state([0.25, -1.0]);
    // 2 (0.5·4 - 1) + 4·0.25 + (0.25·4 - 1 + 1)/0.5.
    assert_eq!(bench.eval_named("effort"), [5.0]);
    assert_eq!(bench.derivatives(), [3.0, 2.0]);
    assert_eq!(bench.clone().discrete([1.0]).eval_named("effort"), [7.0]);
}
