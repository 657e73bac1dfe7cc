//! `type: edge`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::edge;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(edge::TYPE).unwrap();
    let parameters = serde_json::json!({"on": "falling", "threshold": 2.0, "duration": 0.25});
    let block = catalog.build("edge", parameters, Path::new("")).unwrap();
    assert_eq!(block.ports().witnesses()[0].crossing, kinegraph_core::port::Crossing::Falling);
    assert_eq!(Bench::new(&*block).input_named("input", [3.0]).witnesses(), [1.0, -0.25]);
}
