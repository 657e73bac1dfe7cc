//! `type: mixer`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::mixer;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(mixer::TYPE).unwrap();
    let parameters = serde_json::json!({"matrix": [[1.0, 2.0], [3.0, 4.0]], "lower": -1.0, "upper": [10.0, 5.5], "overload": "scale"});
    let block = catalog.build("mixer", parameters, Path::new("")).unwrap();
    assert_eq!(Bench::new(&*block).input_named("command", [1.0, 2.0]).eval_named("output"), [2.5, 5.5]);
}
