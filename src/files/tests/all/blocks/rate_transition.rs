//! `type: rate_transition`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::rate_transition;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(rate_transition::TYPE).unwrap();
    let parameters = serde_json::json!({"from": 0.1, "to": 0.5, "transfer": "delay", "initial": [1.0, 2.0]});
    let block = catalog.build("rate_transition", parameters, Path::new("")).unwrap();
    assert_eq!(block.ports().ticks()[0].period, 0.5);
    assert_eq!(Bench::new(&*block).discrete_state(), [1.0, 2.0, 1.0, 2.0]);
}
